/** Meaning of one of the site's changes for the user. */
type Pip = 'free' | 'kept' | 'used';

const MOST = 9;

/**
 * Returns one pip per change: used ones first, then free ones. The last one is reserved without
 * consent.
 */
export function pips(left: number | null, used: number, consent: boolean): Pip[] {
  if (left === null) return [];
  const shownLeft = Math.min(left, MOST);
  const kept = shownLeft > 0 && !consent ? 1 : 0;
  return [
    ...Array.from({ length: Math.min(used, MOST - shownLeft) }, () => 'used' as const),
    ...Array.from({ length: shownLeft - kept }, () => 'free' as const),
    ...Array.from({ length: kept }, () => 'kept' as const),
  ];
}
