// What `react-i18next` is in documents that are made ahead (astro.config.mjs puts this module in its place): the same hook, which
// speaks the words that the build gave the page, without i18next.
import { createContext, type ReactNode, use, useMemo } from 'react';
import { unbrokenMark } from '../api/facts.tsx';
import { unbroken } from './format.ts';
import type { Language } from './language.ts';

/** Texts by their full keys. */
export type DocumentWords = Readonly<Record<string, string>>;

interface Speech {
  language: Language;
  words: DocumentWords;
}

const SpeechContext = createContext<Speech | null>(null);

/** Stands once around a document's page. */
export function DocumentWordsProvider({ language, words, children }: Speech & { children: ReactNode }) {
  const speech = useMemo(() => ({ language, words }), [language, words]);
  return <SpeechContext value={speech}>{children}</SpeechContext>;
}

/** A text with its values put in, in the singular or plural that `count` wants; a missing one is an error, as it is in a test. */
export function textOf({ language, words }: Speech, key: string, values: Readonly<Record<string, unknown>> = {}): string {
  const form = typeof values.count === 'number' ? new Intl.PluralRules(language).select(values.count) : null;
  const text = (form && (words[`${key}_${form}`] ?? words[`${key}_other`])) ?? words[key];
  if (text === undefined) throw new Error(`the document has no words for ${key}`);
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => unbroken(unbrokenMark(String(values[name] ?? ''))));
}

/** The part of react-i18next's hook that the pages use. */
export function useTranslation() {
  const speech = use(SpeechContext);
  if (!speech) throw new Error('a document speaks within <DocumentWordsProvider>');
  return useMemo(
    () => ({
      t: (key: string, values?: Readonly<Record<string, unknown>>) => textOf(speech, key, values),
      i18n: { language: speech.language, resolvedLanguage: speech.language },
    }),
    [speech],
  );
}
