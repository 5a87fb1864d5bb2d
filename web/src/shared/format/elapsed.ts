/** Returns the whole minutes from one time to another, or 0 if a clock is ahead. */
export function minutesBetween(fromMs: number, toMs: number): number {
  return Math.max(0, Math.floor((toMs - fromMs) / 60_000));
}
