import { useEffect } from 'react';
import { createStore } from '../state/createStore.ts';
import { useStore } from '../state/useStore.ts';
import { billingStore, isBillingKnown } from './billing.ts';
import { answer, client } from './client.ts';
import type { Facts } from './facts.tsx';
import type { SignInMethods } from './types.ts';

const methods = createStore<SignInMethods | null>(null);
let asking: Promise<void> | null = null;

/** Keeps what a document has said already, so that nobody asks. */
export function knowMethods(known: SignInMethods): void {
  // A server of the release before does not say, and charges.
  billingStore.set(known.billing !== false);
  methods.set(known);
}

/** Asks once which ways to sign in there are; a failure is asked again by the next page. */
export function loadMethods(): Promise<void> {
  if (methods.get()) return Promise.resolve();
  asking ??= answer(client.GET('/auth/methods'))
    .then(knowMethods)
    .catch(() => undefined)
    .finally(() => {
      asking = null;
    });
  return asking;
}

/** The ways to sign in, or null while nobody knows. */
export function useMethods(): SignInMethods | null {
  useEffect(() => void loadMethods(), []);
  return useStore(methods);
}

/** The same for screens that do without: nobody is asked on their behalf (the app asks once it has begun). */
export const useKnownMethods = (): SignInMethods | null => useStore(methods);

/** Resolves once it is known whether bookings are charged here: at once in a browser that was here before. */
export const billingKnown = (): Promise<void> => (isBillingKnown() ? Promise.resolve() : loadMethods());

/** The ways to sign in by the facts of a document. They do not say whether there are sign-in links. */
export const methodsOf = (facts: Facts): SignInMethods => ({
  google: facts.google !== undefined,
  mail: facts.mail !== undefined,
  registration: facts.registration_off ? 'closed' : facts.invite_only ? 'invite' : 'open',
  billing: facts.billing_off === undefined,
  link: false,
});
