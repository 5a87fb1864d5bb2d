import { useSyncExternalStore } from 'react';
import { answer, client } from './client.ts';
import type { SignInMethods } from './types.ts';

let methods: SignInMethods | null = null;
let asking: Promise<void> | null = null;
const listeners = new Set<() => void>();

/** Asks once which ways to sign in there are; a failure is asked again by the next page. */
export function loadMethods(): Promise<void> {
  if (methods) return Promise.resolve();
  asking ??= answer(client.GET('/auth/methods'))
    .then((known) => {
      methods = known;
      for (const listener of listeners) listener();
    })
    .catch(() => undefined)
    .finally(() => {
      asking = null;
    });
  return asking;
}

/** Keeps what a document has said already, so that nobody asks. */
export function knowMethods(known: SignInMethods): void {
  methods = known;
}

/** Gives the server a moment to say it before the page is drawn, so that the form does not jump when the button comes. */
export function methodsInTime(waitMs: number): Promise<void> {
  return Promise.race([loadMethods(), new Promise<void>((resolve) => setTimeout(resolve, waitMs))]);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  void loadMethods();
  return () => listeners.delete(listener);
};

/** The ways to sign in, or null while nobody knows. */
export function useMethods(): SignInMethods | null {
  return useSyncExternalStore(
    subscribe,
    () => methods,
    () => null,
  );
}
