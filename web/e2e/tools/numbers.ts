/** Returns the value below which `share` (0 to 1) of the values are, or NaN without values. */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Formats one line of a report: count, median, slow end, worst. */
export function report(name: string, values: number[], unit = 'ms'): void {
  const figure = (value: number) => value.toFixed(unit === 'ms' ? 0 : 2);
  const line = [
    `p50 ${figure(quantile(values, 0.5))}`,
    `p95 ${figure(quantile(values, 0.95))}`,
    `max ${figure(Math.max(...values))}`,
  ];
  console.log(`${name}: n=${values.length}, ${line.join(', ')} ${unit}`);
}
