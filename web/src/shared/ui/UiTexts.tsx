import { createContext, type ReactNode, use } from 'react';
import type en from './words/en.json';

/**
 * Texts of the components in this folder, such as *Close*. There is one file per language in
 * `words/`.
 */
export type UiTexts = Record<keyof typeof en, string>;

interface Speech {
  language: 'en' | 'zh';
  texts: UiTexts;
}

const SpeechContext = createContext<Speech | null>(null);

/**
 * Provides language and texts to a page or an Astro island. `texts` is `words/en.json` or
 * `words/zh.json`.
 */
export function UiTextsProvider({ language, texts, children }: Speech & { children: ReactNode }) {
  return <SpeechContext value={{ language, texts }}>{children}</SpeechContext>;
}

function useSpeech(): Speech {
  const speech = use(SpeechContext);
  if (!speech) throw new Error('shared/ui components with texts of their own need <UiTextsProvider>');
  return speech;
}

/** Returns the components' texts in the page's language. */
export function useUiTexts(): UiTexts {
  return useSpeech().texts;
}

/** Returns the page's language. */
export function useUiLanguage(): 'en' | 'zh' {
  return useSpeech().language;
}

/** Inserts values into a sentence: `fill('Page {page}', { page: '3' })`. */
export function fill(sentence: string, values: Record<string, string>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
