import type { TextTree } from './translations.ts';

/**
 * Suffix of a replacement text for servers that charge nothing: `done_unbilled` replaces `done`.
 */
export const UNBILLED = '_unbilled';

/** Returns the texts with all replacements for servers that charge nothing. */
export function unbilled(texts: TextTree): TextTree {
  const result: TextTree = {};
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value !== 'string') result[key] = unbilled(value);
    else result[key] = (texts[`${key}${UNBILLED}`] as string | undefined) ?? value;
  }
  return result;
}
