import { createStore } from '../state/createStore.ts';
import { useStore } from '../state/useStore.ts';

const KEY = 'sooner.billing';

/** What this browser was told last; null where it never was. The app's document reads it too (app/documents/shell.js). */
function remembered(): boolean | null {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === null ? null : kept === 'on';
  } catch {
    return null;
  }
}

const kept = createStore<boolean | null>(remembered());

/** Whether it is known if bookings are charged here. */
export const isBillingKnown = () => kept.get() !== null;

/**
 * Whether bookings are charged on this server. Screens, calls and sentences about money exist only where they are. The app waits for
 * the answer where it was never told (app/main.tsx); where there is none it takes the server for an ordinary one.
 */
export const billingStore = {
  get: () => kept.get() !== false,
  set: (on: boolean) => {
    kept.set(on);
    try {
      localStorage.setItem(KEY, on ? 'on' : 'off');
    } catch {
      // Without storage the next page asks.
    }
  },
  subscribe: kept.subscribe,
};

/** Options of a query about money: nothing is asked where nothing is charged. */
export const whereBilled = { enabled: () => billingStore.get() };

/** The same in components, live. */
export const useBilling = () => useStore(billingStore);
