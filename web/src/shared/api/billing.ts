import { createStore } from '../state/createStore.ts';
import { useStore } from '../state/useStore.ts';

const KEY = 'sooner.billing';

/**
 * Returns the last value that this browser received from the server, or null. The app's document
 * reads the same storage entry (app/documents/shell.js).
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

/** Returns whether this browser has learned whether the server charges for bookings. */
export const isBillingKnown = () => billing.get() !== null;

/**
 * True if this server charges for bookings. If not, the app hides every screen, request and text
 * about money. The app waits for an unknown value (app/main.tsx), and assumes true if the server
 * does not answer.
 */
export const billingStore = {
  get: () => billing.get() !== false,
  set: (on: boolean) => {
    billing.set(on);
    try {
      localStorage.setItem(KEY, on ? 'on' : 'off');
    } catch {
      // Browser storage is blocked. The next page requests the value again.
    }
  },
  subscribe: billing.subscribe,
};

/** Options of a query about money. They disable the query if the server charges nothing. */
export const whereBilled = { enabled: () => billingStore.get() };

/** Returns whether this server charges for bookings, and updates the component on a change. */
export const useBilling = () => useStore(billingStore);
