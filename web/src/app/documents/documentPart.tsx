import type { ComponentType, ReactNode } from 'react';
import { type Facts, FactsProvider, readFacts, template } from '../../shared/api/facts.tsx';
import { type DocumentTexts, DocumentTextsProvider } from '../../shared/i18n/documentTexts.tsx';
import type { Language } from '../../shared/i18n/language.ts';

/** Properties that a document part gets from its Astro page. */
export interface TranslatedProps {
  language: Language;
  /** All texts of the part. They are serialized with an island (texts.ts). */
  texts: DocumentTexts;
}

/** Facts that the server put into the document, or a template during the build. */
export const factsHere: Facts | typeof template = typeof document === 'undefined' ? template : readFacts();

/**
 * Provides texts and facts to its children. An island whose components have texts of their own adds
 * `AppUiTexts`.
 */
export function DocumentParts({ language, texts, children }: TranslatedProps & { children: ReactNode }) {
  return (
    <DocumentTextsProvider language={language} texts={texts}>
      <FactsProvider facts={factsHere}>{children}</FactsProvider>
    </DocumentTextsProvider>
  );
}

/**
 * Makes a component a part of a document. In an Astro page it is static, or an island with
 * `client:touch`.
 */
export function documentPart<Props extends object>(Part: ComponentType<Props>) {
  return function DocumentPart({ language, texts, ...props }: Props & TranslatedProps) {
    return (
      <DocumentParts language={language} texts={texts}>
        <Part {...(props as Props)} />
      </DocumentParts>
    );
  };
}
