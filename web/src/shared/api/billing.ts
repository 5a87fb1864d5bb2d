import { createStore } from '../state/createStore.ts';
import { useStore } from '../state/useStore.ts';

const KEY = 'sooner.billing';

/**
 * Returns the last value that this browser learned, or null. The app's document reads it too
 * (app/documents/shell.js).
 */
function remembered(): boolean | null {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === null ? null : kept === 'on';
  } catch {
    return null;
  }
}

const kept = createStore<boolean | null>(remembered());

/** Returns whether it is known if bookings are charged here. */
export const isBillingKnown = () => kept.get() !== null;

/**
 * True if this server charges for bookings. Screens, requests and texts about money exist only
 * then. If the value was never learned, the app waits for it (app/main.tsx). Without a response it
 * assumes that the server charges.
 */
export const billingStore = {
  get: () => kept.get() !== false,
  set: (on: boolean) => {
    kept.set(on);
    try {
      localStorage.setItem(KEY, on ? 'on' : 'off');
    } catch {
      // Without storage the next page requests it.
    }
  },
  subscribe: kept.subscribe,
};

/** Options of a query about money. It sends nothing where nothing is charged. */
export const whereBilled = { enabled: () => billingStore.get() };

/** Returns the same in components, live. */
export const useBilling = () => useStore(billingStore);
