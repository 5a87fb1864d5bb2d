import { createStore } from '../state/createStore.ts';

/**
 * Payload of a 403 STEP_UP_REQUIRED response: the ways in which this user can prove their identity.
 */
export interface StepUpDemand {
  methods: ('password' | 'google' | 'link' | 'passkey')[];
  /** True if the user must also enter a code of the second factor. */
  totp: boolean;
}

/** The open prompt for a proof of identity, or null. */
export const stepUpStore = createStore<StepUpDemand | null>(null);

let openPrompt: Promise<boolean> | null = null;
let settle: (proven: boolean) => void = () => undefined;

/**
 * Prompts the user for a proof of identity. Simultaneous requests share one prompt. Returns false
 * if the user declines.
 */
export function promptStepUp(data: unknown): Promise<boolean> {
  const { methods = ['password'], totp = false } = (data ?? {}) as Partial<StepUpDemand>;
  openPrompt ??= new Promise<boolean>((resolve) => {
    settle = resolve;
    stepUpStore.set({ methods, totp });
  });
  return openPrompt;
}

/** Closes the prompt. `proven` is false if the user declined. */
export function settleStepUp(proven: boolean): void {
  openPrompt = null;
  stepUpStore.set(null);
  settle(proven);
}
