import type { TextTree } from './translations.ts';

/**
 * Suffix of the text that replaces another where nothing is charged: `done_unbilled` replaces
 * `done`.
 */
export const UNBILLED = '_unbilled';

/** Returns the texts for servers that charge nothing. */
export function unbilled(texts: TextTree): TextTree {
  const result: TextTree = {};
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value !== 'string') result[key] = unbilled(value);
    else result[key] = (texts[`${key}${UNBILLED}`] as string | undefined) ?? value;
  }
  return result;
}
