import { useEffect } from 'react';
import { createStore } from '../state/createStore.ts';
import { useStore } from '../state/useStore.ts';
import { answer, client } from './client.ts';
import type { SignInMethods } from './types.ts';

const methods = createStore<SignInMethods | null>(null);
let asking: Promise<void> | null = null;

/** Asks once which ways to sign in there are; a failure is asked again by the next page. */
function loadMethods(): Promise<void> {
  if (methods.get()) return Promise.resolve();
  asking ??= answer(client.GET('/auth/methods'))
    .then(methods.set)
    .catch(() => undefined)
    .finally(() => {
      asking = null;
    });
  return asking;
}

/** Keeps what a document has said already, so that nobody asks. */
export const knowMethods = (known: SignInMethods) => methods.set(known);

/** The ways to sign in, or null while nobody knows. */
export function useMethods(): SignInMethods | null {
  useEffect(() => void loadMethods(), []);
  return useStore(methods);
}
