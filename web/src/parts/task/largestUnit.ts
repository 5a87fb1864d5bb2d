const units = [
  ['day', 1_440],
  ['hour', 60],
  ['minute', 1],
] as const;

/**
 * Splits minutes into the largest unit with at least one full unit. It never exceeds the elapsed
 * time, and is at least one minute.
 */
export function largestUnit(minutes: number): { unit: 'day' | 'hour' | 'minute'; count: number } {
  const [unit, size] = units.find((one) => minutes >= one[1]) ?? units[2];
  return { unit, count: Math.max(1, Math.floor(minutes / size)) };
}
