import { contrast, decoration, type Pair, pairs } from './contrast.ts';
import { tokensOf } from './tokens.ts';

const inLight = tokensOf('light');
const inDark = tokensOf('dark');
const at = (tokens: Readonly<Record<string, string>>, name: string): string => {
  const value = tokens[name];
  if (value === undefined) throw new Error(`${name} is no token`);
  return value;
};

/** A pair with its ratio in both schemes. */
interface Measured extends Pair {
  light: number;
  dark: number;
}

const different = ({ ink, ground }: Pair) => ink !== ground;

/** All pairs with their ratios. */
export const measured: Measured[] = pairs.filter(different).map((pair) => ({
  ...pair,
  light: contrast(at(inLight, pair.ink), at(inLight, pair.ground)),
  dark: contrast(at(inDark, pair.ink), at(inDark, pair.ground)),
}));

const two = (ratio: number) => (Math.floor(ratio * 100) / 100).toFixed(2);
const lowest = (rows: Measured[], scheme: 'light' | 'dark') => {
  const row = rows.reduce((low, next) => (next[scheme] < low[scheme] ? next : low));
  return `${two(row[scheme])} (\`${row.ink}\` on \`${row.ground}\`)`;
};

function table(rows: Measured[]): string {
  const sorted = rows.toSorted((a, b) => Math.min(a.light, a.dark) - Math.min(b.light, b.dark));
  const lines = sorted.map(({ ink, ground, light, dark }) => `| \`${ink}\` | \`${ground}\` | ${two(light)} | ${two(dark)} |`);
  return ['| ink | ground | light | dark |', '|---|---|---|---|', ...lines].join('\n');
}

/** Returns the required content of docs/contrast.md. */
export function contrastTable(): string {
  const text = measured.filter((row) => row.kind === 'text');
  const part = measured.filter((row) => row.kind === 'part');
  return `# Contrast, computed from the tokens

Made by \`node web/scripts/contrast.mjs\` from \`web/src/shared/theme/tokens.css\` and the pairs in \`contrast.ts\` beside it; a test keeps it fresh. Ratios are WCAG 2.2's, rounded down.
The browser's walk over every page (\`web/e2e/support/contrast.ts\`, run with axe) measures each text where it stands and fails on a pair that is not in this list.

| | light | dark |
|---|---|---|
| lowest of ${text.length} pairs of text (4.5 asked) | ${lowest(text, 'light')} | ${lowest(text, 'dark')} |
| lowest of ${part.length} pairs of parts (3 asked) | ${lowest(part, 'light')} | ${lowest(part, 'dark')} |

## Text

${table(text)}

## Parts: borders of controls, outline of focus, icons, bars

${table(part)}

## Colours that carry nothing alone

${Object.entries(decoration)
  .map(([token, why]) => `- \`${token}\`: ${why}`)
  .join('\n')}
`;
}
