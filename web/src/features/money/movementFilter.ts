import { readKind } from '../../parts/balance/movementKinds.ts';
import type { MovementFilter } from '../../shared/api/money.ts';

export const PAGE_SIZE = 20;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Returns the filter in the address. Unknown kinds and invalid dates are ignored. */
export function filterAt(search: URLSearchParams): MovementFilter {
  const kind = readKind(search.get('kind'));
  const day = (name: string) => {
    const text = search.get(name) ?? '';
    return DAY.test(text) ? text : undefined;
  };
  const from = day('from');
  const to = day('to');
  return { ...(kind ? { kind } : {}), ...(from ? { from } : {}), ...(to ? { to } : {}) };
}
