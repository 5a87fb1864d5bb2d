// Replaces `react-i18next` in prerendered documents (astro.config.mjs substitutes this module). It
// offers the same hook with the texts that the build gave the page, without i18next.
import { createContext, type ReactNode, use, useMemo } from 'react';
import { conditionalMark, unbrokenMark, useUnbilled } from '../api/facts.tsx';
import { unbroken } from './format.ts';
import type { Language } from './language.ts';
import { UNBILLED } from './unbilled.ts';

/** Texts by their full keys. */
export type DocumentWords = Readonly<Record<string, string>>;

interface Speech {
  language: Language;
  words: DocumentWords;
  /**
   * True if nothing is charged here. It is `template` while a document is built, which then
   * contains both variants.
   */
  unbilled?: ReturnType<typeof useUnbilled>;
}

const SpeechContext = createContext<Speech | null>(null);

/** Wraps a document's page once. */
export function DocumentWordsProvider({ language, words, children }: Speech & { children: ReactNode }) {
  const speech = useMemo(() => ({ language, words }), [language, words]);
  return <SpeechContext value={speech}>{children}</SpeechContext>;
}

/**
 * Returns a text with its values, in the singular or plural of `count`. A missing text is an error,
 * as in a test.
 */
export function textOf(
  { language, words, unbilled }: Speech,
  key: string,
  values: Readonly<Record<string, unknown>> = {},
): string {
  const form = typeof values.count === 'number' ? new Intl.PluralRules(language).select(values.count) : null;
  const name = [`${key}_${form}`, `${key}_other`].find((one) => form && one in words) ?? key;
  const billed = words[name];
  const free = unbilled ? words[`${name}${UNBILLED}`] : undefined;
  const text =
    free === undefined || billed === undefined ? billed : unbilled === true ? free : conditionalMark('billing_off', free, billed);
  if (text === undefined) throw new Error(`the document has no words for ${key}`);
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => unbroken(unbrokenMark(String(values[name] ?? ''))));
}

/** Implements the part of react-i18next's hook that the pages use. */
export function useTranslation() {
  const speech = use(SpeechContext);
  if (!speech) throw new Error('a document speaks within <DocumentWordsProvider>');
  const unbilled = useUnbilled();
  return useMemo(
    () => ({
      t: (key: string, values?: Readonly<Record<string, unknown>>) => textOf({ ...speech, unbilled }, key, values),
      i18n: { language: speech.language, resolvedLanguage: speech.language },
    }),
    [speech, unbilled],
  );
}
