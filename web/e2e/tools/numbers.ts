/** Returns the quantile `share` (0 to 1) of the values, or NaN without values. */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Prints one line of a report: number of values, median, slow end, and maximum. */
export function report(name: string, values: number[], unit = 'ms'): void {
  const figure = (value: number) => value.toFixed(unit === 'ms' ? 0 : 2);
  const line = [
    `p50 ${figure(quantile(values, 0.5))}`,
    `p95 ${figure(quantile(values, 0.95))}`,
    `max ${figure(Math.max(...values))}`,
  ];
  console.log(`${name}: n=${values.length}, ${line.join(', ')} ${unit}`);
}
