/**
 * Returns the whole minutes between two times, or 0 if the first is later because a clock is wrong.
 */
export function minutesBetween(fromMs: number, toMs: number): number {
  return Math.max(0, Math.floor((toMs - fromMs) / 60_000));
}
