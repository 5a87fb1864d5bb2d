import { useEffect } from 'react';
import { createStore } from '../state/createStore.ts';
import { useStore } from '../state/useStore.ts';
import { billingStore, isBillingKnown } from './billing.ts';
import { answer, client } from './client.ts';
import type { Facts } from './facts.tsx';
import type { SignInMethods } from './types.ts';

const methods = createStore<SignInMethods | null>(null);
let loading: Promise<void> | null = null;

/** Stores the methods that a document already contains, so that no request is needed. */
export function storeMethods(known: SignInMethods): void {
  // A server of the previous release does not report it, and charges.
  billingStore.set(known.billing !== false);
  methods.set(known);
}

/** Requests the sign-in methods once. After a failure the next page retries. */
export function loadMethods(): Promise<void> {
  if (methods.get()) return Promise.resolve();
  loading ??= answer(client.GET('/auth/methods'))
    .then(storeMethods)
    .catch(() => undefined)
    .finally(() => {
      loading = null;
    });
  return loading;
}

/** Returns the sign-in methods, or null while they are unknown. */
export function useMethods(): SignInMethods | null {
  useEffect(() => void loadMethods(), []);
  return useStore(methods);
}

/** Returns the same without sending a request, because the app sends one after its start. */
export const useKnownMethods = (): SignInMethods | null => useStore(methods);

/**
 * Resolves once it is known whether bookings are charged here, at once in a browser that already
 * knows.
 */
export const whenBillingKnown = (): Promise<void> => (isBillingKnown() ? Promise.resolve() : loadMethods());

/** Returns the sign-in methods from the facts of a document. They do not include sign-in links. */
export const methodsOf = (facts: Facts): SignInMethods => ({
  google: facts.google !== undefined,
  mail: facts.mail !== undefined,
  registration: facts.registration_off ? 'closed' : facts.invite_only ? 'invite' : 'open',
  billing: facts.billing_off === undefined,
  link: false,
});
