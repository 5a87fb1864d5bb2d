const units = [
  ['day', 1_440],
  ['hour', 60],
  ['minute', 1],
] as const;

/**
 * Converts minutes to the largest unit of which at least one has passed, rounded down. The result
 * is at least one minute.
 */
export function largestUnit(minutes: number): { unit: 'day' | 'hour' | 'minute'; count: number } {
  const [unit, size] = units.find((one) => minutes >= one[1]) ?? units[2];
  return { unit, count: Math.max(1, Math.floor(minutes / size)) };
}
