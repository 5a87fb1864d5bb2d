import type { ComponentType, ReactNode } from 'react';
import { type Facts, FactsProvider, readFacts, template } from '../../shared/api/facts.tsx';
import { type DocumentWords, DocumentWordsProvider } from '../../shared/i18n/documentWords.tsx';
import type { Language } from '../../shared/i18n/language.ts';

/** Properties that a document part gets from its Astro page. */
export interface Spoken {
  language: Language;
  /** All texts of the part. They are serialized with an island (words.ts). */
  words: DocumentWords;
}

/** Facts that the server put into the document, or a template during the build. */
export const factsHere: Facts | typeof template = typeof document === 'undefined' ? template : readFacts();

/**
 * Provides texts and facts to its children. An island whose components have texts of their own adds
 * `AppUiWords`.
 */
export function DocumentParts({ language, words, children }: Spoken & { children: ReactNode }) {
  return (
    <DocumentWordsProvider language={language} words={words}>
      <FactsProvider facts={factsHere}>{children}</FactsProvider>
    </DocumentWordsProvider>
  );
}

/**
 * Makes a component a part of a document. In an Astro page it is static, or an island with
 * `client:touch`.
 */
export function documentPart<Props extends object>(Part: ComponentType<Props>) {
  return function DocumentPart({ language, words, ...props }: Props & Spoken) {
    return (
      <DocumentParts language={language} words={words}>
        <Part {...(props as Props)} />
      </DocumentParts>
    );
  };
}
