/** Languages of the product. `zh` is the default and the fallback. */
export type Language = 'en' | 'zh';

/** Maps any BCP 47 tag to a supported language: every tag except English is Chinese. */
export function toLanguage(tag: string | undefined | null): Language {
  return tag && /^en/i.test(tag) ? 'en' : 'zh';
}

/** The `lang` attribute of each language. */
export const htmlLang: Record<Language, string> = { en: 'en', zh: 'zh-CN' };

/**
 * Returns the first of a browser's languages that is supported, as the server reads the same list.
 * Returns undefined if none is.
 */
export function firstKnown(tags: readonly string[] | undefined): Language | undefined {
  const tag = tags?.find((one) => /^(en|zh)\b/i.test(one));
  return tag === undefined ? undefined : toLanguage(tag);
}
