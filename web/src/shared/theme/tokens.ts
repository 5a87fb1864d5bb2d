import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');

/**
 * Returns the custom properties in the first block after `selector`, by their names without dashes.
 */
function properties(selector: string): Record<string, string> {
  const begin = css.indexOf(selector);
  const block = css.slice(begin, css.indexOf('}', begin));
  return Object.fromEntries([...block.matchAll(/--([\w-]+):\s*([^;]+);/g)].map((match) => [match[1] ?? '', match[2] ?? '']));
}

const light = properties(':root {');

/** Returns the design tokens of a scheme from tokens.css. Only tests and scripts use it. */
export const tokensOf = (scheme: 'light' | 'dark'): Readonly<Record<string, string>> =>
  scheme === 'light' ? light : { ...light, ...properties('[data-theme="dark"]') };
