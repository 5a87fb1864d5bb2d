import { createStore } from '../state/createStore.ts';
import { useStore } from '../state/useStore.ts';

const KEY = 'sooner.billing';

/**
 * Returns the last value that this browser learned, or null. The app's document reads it too
 * (app/documents/shell.js).
 */
function readBilling(): boolean | null {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === null ? null : stored === 'on';
  } catch {
    return null;
  }
}

const billing = createStore<boolean | null>(readBilling());

/** Returns whether it is known if bookings are charged here. */
export const isBillingKnown = () => billing.get() !== null;

/**
 * True if this server charges for bookings. Screens, requests and texts about money exist only
 * then. If the value was never learned, the app waits for it (app/main.tsx). Without a response it
 * assumes that the server charges.
 */
export const billingStore = {
  get: () => billing.get() !== false,
  set: (on: boolean) => {
    billing.set(on);
    try {
      localStorage.setItem(KEY, on ? 'on' : 'off');
    } catch {
      // Without storage the next page requests it.
    }
  },
  subscribe: billing.subscribe,
};

/** Options of a query about money. It sends nothing where nothing is charged. */
export const whereBilled = { enabled: () => billingStore.get() };

/** Returns the same in components, live. */
export const useBilling = () => useStore(billingStore);
