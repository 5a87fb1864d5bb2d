/** What one change of the site's is to this person. */
type Pip = 'free' | 'kept' | 'used';

const MOST = 9;

/** One pip per change: those used first, then those free to use, the last one kept unless there is consent for it. */
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
