/** Colour and dash of each city's line. With more cities than styles they repeat. */
const looks = [
  { ink: 'var(--series-1)', dash: undefined },
  { ink: 'var(--series-2)', dash: '9 3' },
  { ink: 'var(--series-3)', dash: '5 4' },
  { ink: 'var(--series-1)', dash: '2 4' },
  { ink: 'var(--series-2)', dash: '12 3 2 3' },
  { ink: 'var(--series-3)', dash: '1 4' },
] as const;

const looksOf = (index: number) => looks[Math.max(0, index) % looks.length] ?? looks[0];

/** Returns the colour of a city's line, as a CSS value. */
export const inkOf = (index: number): string => looksOf(index).ink;

/** Returns the dash pattern of a city's line. The first line has none. */
export const dashOf = (index: number): string | undefined => looksOf(index).dash;
