import { useMemo, useSyncExternalStore } from 'react';

const never = () => () => undefined;
const unknown = () => null;

/**
 * Returns the query parameters of the page's address. Returns null in the first render of a
 * prerendered document, which does not know its address.
 */
export function useAddress(): URLSearchParams | null {
  const search = useSyncExternalStore<string | null>(never, () => window.location.search, unknown);
  return useMemo(() => (search === null ? null : new URLSearchParams(search)), [search]);
}

/**
 * Returns the query parameters in an event handler. A press may come before the second render,
 * while {@link useAddress} still returns null.
 */
export const readAddress = () => new URLSearchParams(window.location.search);
