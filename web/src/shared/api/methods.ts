import { useEffect } from 'react';
import { createStore } from '../state/createStore.ts';
import { useStore } from '../state/useStore.ts';
import { billingStore, isBillingKnown } from './billing.ts';
import { answer, client } from './client.ts';
import type { Facts } from './facts.tsx';
import type { SignInMethods } from './types.ts';

const methods = createStore<SignInMethods | null>(null);
let loading: Promise<void> | null = null;

/** Stores the sign-in methods that a document contains, which saves a request. */
export function storeMethods(known: SignInMethods): void {
  // A server of the previous release omits this field. It charges for bookings.
  billingStore.set(known.billing !== false);
  methods.set(known);
}

/** Requests the sign-in methods once per page. After a failure the next call retries. */
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

/** Returns the sign-in methods, or null while they are unknown. Requests them if necessary. */
export function useMethods(): SignInMethods | null {
  useEffect(() => void loadMethods(), []);
  return useStore(methods);
}

/**
 * Returns the sign-in methods or null, without a request. The app requests them after its start.
 */
export const useKnownMethods = (): SignInMethods | null => useStore(methods);

/** Resolves once the browser knows whether the server charges for bookings. */
export const whenBillingKnown = (): Promise<void> => (isBillingKnown() ? Promise.resolve() : loadMethods());

/**
 * Converts the facts of a document to sign-in methods. The facts do not include sign-in by a mailed
 * link.
 */
export const methodsOf = (facts: Facts): SignInMethods => ({
  google: facts.google !== undefined,
  mail: facts.mail !== undefined,
  passkeys: facts.passkeys !== undefined,
  registration: facts.registration_off ? 'closed' : facts.invite_only ? 'invite' : 'open',
  billing: facts.billing_off === undefined,
  link: false,
});
