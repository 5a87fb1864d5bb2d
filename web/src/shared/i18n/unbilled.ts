import type { WordsTree } from './speak.ts';

/** Ends the key of a text that is said in place of another where nothing is charged: `done_unbilled` stands for `done`. */
export const UNBILLED = '_unbilled';

/** The texts as they are said where nothing is charged. */
export function unbilled(words: WordsTree): WordsTree {
  const said: WordsTree = {};
  for (const [key, value] of Object.entries(words)) {
    if (typeof value !== 'string') said[key] = unbilled(value);
    else said[key] = (words[`${key}${UNBILLED}`] as string | undefined) ?? value;
  }
  return said;
}
