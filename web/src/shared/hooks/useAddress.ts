import { useMemo, useSyncExternalStore } from 'react';

const never = () => () => undefined;
const unknown = () => null;

/**
 * Returns the address's query. It is null in the first render of a prerendered document, which has
 * no address.
 */
export function useAddress(): URLSearchParams | null {
  const search = useSyncExternalStore<string | null>(never, () => window.location.search, unknown);
  return useMemo(() => (search === null ? null : new URLSearchParams(search)), [search]);
}

/**
 * Returns the address's query in an event handler. A press can come between the first render, in
 * which {@link useAddress} is null, and the next one.
 */
export const readAddress = () => new URLSearchParams(window.location.search);
