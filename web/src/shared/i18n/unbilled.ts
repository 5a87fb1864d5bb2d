import type { WordsTree } from './speak.ts';

/**
 * Suffix of the text that replaces another where nothing is charged: `done_unbilled` replaces
 * `done`.
 */
export const UNBILLED = '_unbilled';

/** Returns the texts for servers that charge nothing. */
export function unbilled(words: WordsTree): WordsTree {
  const said: WordsTree = {};
  for (const [key, value] of Object.entries(words)) {
    if (typeof value !== 'string') said[key] = unbilled(value);
    else said[key] = (words[`${key}${UNBILLED}`] as string | undefined) ?? value;
  }
  return said;
}
