/** Counts the whole minutes from one time to another; 0 where a clock runs ahead. */
export function minutesBetween(fromMs: number, toMs: number): number {
  return Math.max(0, Math.floor((toMs - fromMs) / 60_000));
}
