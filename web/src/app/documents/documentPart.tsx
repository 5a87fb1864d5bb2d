import type { ComponentType, ReactNode } from 'react';
import { type Facts, FactsProvider, readFacts, template } from '../../shared/api/facts.tsx';
import { type DocumentTexts, DocumentTextsProvider } from '../../shared/i18n/documentTexts.tsx';
import type { Language } from '../../shared/i18n/language.ts';

/** Properties that an Astro page passes to a part of its document. */
export interface TranslatedProps {
  language: Language;
  /** Texts of the part. The document contains the texts of an island in serialized form. */
  texts: DocumentTexts;
}

/** Facts in the loaded document, or `template` while the document is built. */
export const factsHere: Facts | typeof template = typeof document === 'undefined' ? template : readFacts();

/**
 * Provides texts and facts to its children. An island that uses components of `shared/ui` with
 * texts also needs `AppUiTexts`.
 */
export function DocumentParts({ language, texts, children }: TranslatedProps & { children: ReactNode }) {
  return (
    <DocumentTextsProvider language={language} texts={texts}>
      <FactsProvider facts={factsHere}>{children}</FactsProvider>
    </DocumentTextsProvider>
  );
}

/**
 * Wraps a component as part of a document. In an Astro page it is static, or with `client:touch` an
 * island.
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
