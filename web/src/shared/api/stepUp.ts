import { createStore } from '../state/createStore.ts';

/** Payload of a 403 STEP_UP_REQUIRED: how this user can prove their identity. */
export interface Demand {
  methods: ('password' | 'google' | 'link')[];
  /** True if the password alone does not suffice. */
  totp: boolean;
}

/** The open prompt, or null. */
export const stepUpStore = createStore<Demand | null>(null);

let asking: Promise<boolean> | null = null;
let settle: (proven: boolean) => void = () => undefined;

/**
 * Prompts the user for a proof of identity. Simultaneous requests share one prompt. Returns false
 * if the user declines.
 */
export function askStepUp(data: unknown): Promise<boolean> {
  const { methods = ['password'], totp = false } = (data ?? {}) as Partial<Demand>;
  asking ??= new Promise<boolean>((resolve) => {
    settle = resolve;
    stepUpStore.set({ methods, totp });
  });
  return asking;
}

/** Ends the prompt: proven, or declined. */
export function answerStepUp(proven: boolean): void {
  asking = null;
  stepUpStore.set(null);
  settle(proven);
}
