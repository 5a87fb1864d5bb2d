import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');

/** Returns the custom properties of the first block after `selector`, without their dashes. */
function properties(selector: string): Record<string, string> {
  const begin = css.indexOf(selector);
  const block = css.slice(begin, css.indexOf('}', begin));
  return Object.fromEntries([...block.matchAll(/--([\w-]+):\s*([^;]+);/g)].map((match) => [match[1] ?? '', match[2] ?? '']));
}

const light = properties(':root {');

/**
 * Returns the design tokens of a scheme from tokens.css, for tests and scripts, not for the page.
 */
export const tokensOf = (scheme: 'light' | 'dark'): Readonly<Record<string, string>> =>
  scheme === 'light' ? light : { ...light, ...properties('[data-theme="dark"]') };
