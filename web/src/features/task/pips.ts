/**
 * State of one reschedule that the portal permits: free for the task, reserved for the user, or
 * used.
 */
type Pip = 'free' | 'kept' | 'used';

const MOST = 9;

/**
 * Returns the state of each reschedule: used ones first, then free ones. Without the user's consent
 * the last one is reserved, or all of them if they are for life.
 */
export function pips(left: number | null, used: number, consent: boolean, forLife: boolean): Pip[] {
  if (left === null) return [];
  const shownLeft = Math.min(left, MOST);
  const kept = consent ? 0 : Math.min(shownLeft, forLife ? MOST : 1);
  return [
    ...Array.from({ length: Math.min(used, MOST - shownLeft) }, () => 'used' as const),
    ...Array.from({ length: shownLeft - kept }, () => 'free' as const),
    ...Array.from({ length: kept }, () => 'kept' as const),
  ];
}
