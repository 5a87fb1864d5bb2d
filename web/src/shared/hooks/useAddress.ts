import { useMemo, useSyncExternalStore } from 'react';

const never = () => () => undefined;
const unknown = () => null;

/** What the address asks for; null in the first frame of a document that was made ahead, which knows no address. */
export function useAddress(): URLSearchParams | null {
  const search = useSyncExternalStore<string | null>(never, () => window.location.search, unknown);
  return useMemo(() => (search === null ? null : new URLSearchParams(search)), [search]);
}
