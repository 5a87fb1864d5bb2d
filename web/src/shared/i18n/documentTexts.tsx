// Replacement for `react-i18next` in prerendered documents (substituted by astro.config.mjs). It
// implements the same hook without i18next, with the texts that the build passed to the page.
import { createContext, type ReactNode, use, useMemo } from 'react';
import { conditionalMark, unbrokenMark, useUnbilled } from '../api/facts.tsx';
import { unbroken } from './format.ts';
import type { Language } from './language.ts';
import { UNBILLED } from './unbilled.ts';

/** Texts by their complete keys. */
export type DocumentTexts = Readonly<Record<string, string>>;

interface DocumentTranslation {
  language: Language;
  texts: DocumentTexts;
  /**
   * True if the server charges nothing. While a document is built it is `template`, and the
   * document then contains both variants of a text.
   */
  unbilled?: ReturnType<typeof useUnbilled>;
}

const TranslationContext = createContext<DocumentTranslation | null>(null);

/** Provides the texts to the page of a document. */
export function DocumentTextsProvider({ language, texts, children }: DocumentTranslation & { children: ReactNode }) {
  const translation = useMemo(() => ({ language, texts }), [language, texts]);
  return <TranslationContext value={translation}>{children}</TranslationContext>;
}

/**
 * Returns a text with its values inserted, in the singular or plural for `count`. Throws if the
 * text is missing.
 */
export function textOf(
  { language, texts, unbilled }: DocumentTranslation,
  key: string,
  values: Readonly<Record<string, unknown>> = {},
): string {
  const form = typeof values.count === 'number' ? new Intl.PluralRules(language).select(values.count) : null;
  const name = [`${key}_${form}`, `${key}_other`].find((one) => form && one in texts) ?? key;
  const billed = texts[name];
  const free = unbilled ? texts[`${name}${UNBILLED}`] : undefined;
  const text =
    free === undefined || billed === undefined ? billed : unbilled === true ? free : conditionalMark('billing_off', free, billed);
  if (text === undefined) throw new Error(`the document has no text for ${key}`);
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => unbroken(unbrokenMark(String(values[name] ?? ''))));
}

/** Implements the part of react-i18next's hook that the pages use. */
export function useTranslation() {
  const translation = use(TranslationContext);
  if (!translation) throw new Error('a document needs <DocumentTextsProvider>');
  const unbilled = useUnbilled();
  return useMemo(
    () => ({
      t: (key: string, values?: Readonly<Record<string, unknown>>) => textOf({ ...translation, unbilled }, key, values),
      i18n: { language: translation.language, resolvedLanguage: translation.language },
    }),
    [translation, unbilled],
  );
}
