import { createStore } from '../state/createStore.ts';

/** What a 403 STEP_UP_REQUIRED carries: how this person can prove who they are. */
export interface Demand {
  methods: ('password' | 'google' | 'link')[];
  /** Whether the password alone is not enough. */
  totp: boolean;
}

/** The open question; null while nothing is asked. */
export const stepUpStore = createStore<Demand | null>(null);

let asking: Promise<boolean> | null = null;
let settle: (proven: boolean) => void = () => undefined;

/** Asks the person to prove who they are; calls that need it at the same time share one question. False when they would not. */
export function askStepUp(data: unknown): Promise<boolean> {
  const { methods = ['password'], totp = false } = (data ?? {}) as Partial<Demand>;
  asking ??= new Promise<boolean>((resolve) => {
    settle = resolve;
    stepUpStore.set({ methods, totp });
  });
  return asking;
}

/** Ends the question: proven, or given up. */
export function answerStepUp(proven: boolean): void {
  asking = null;
  stepUpStore.set(null);
  settle(proven);
}
