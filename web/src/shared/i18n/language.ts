/** Languages of the product. `zh` is the default, and the fallback for a missing text. */
export type Language = 'en' | 'zh';

/** Maps a BCP 47 tag to a supported language: English tags to `en`, all others to `zh`. */
export function toLanguage(tag: string | undefined | null): Language {
  return tag && /^en/i.test(tag) ? 'en' : 'zh';
}

/** Value of the `lang` attribute for each language. */
export const htmlLang: Record<Language, string> = { en: 'en', zh: 'zh-CN' };

/**
 * Returns the first supported language in the browser's list, or undefined if there is none. The
 * server applies the same rule.
 */
export function firstKnown(tags: readonly string[] | undefined): Language | undefined {
  const tag = tags?.find((one) => /^(en|zh)\b/i.test(one));
  return tag === undefined ? undefined : toLanguage(tag);
}
