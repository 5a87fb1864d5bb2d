import type { ComponentType, ReactNode } from 'react';
import { type Facts, FactsProvider, readFacts, template } from '../../shared/api/facts.tsx';
import { type DocumentWords, DocumentWordsProvider } from '../../shared/i18n/documentWords.tsx';
import type { Language } from '../../shared/i18n/language.ts';

/** What every piece of a document is given by its Astro page. */
export interface Spoken {
  language: Language;
  /** All that the piece can say; an island's travel with it (words.ts). */
  words: DocumentWords;
}

/** What the server put into the document; a template while the build makes it. */
export const factsHere: Facts | typeof template = typeof document === 'undefined' ? template : readFacts();

/** Words and facts for what is within; an island with components that have words of their own adds `AppUiWords`. */
export function DocumentParts({ language, words, children }: Spoken & { children: ReactNode }) {
  return (
    <DocumentWordsProvider language={language} words={words}>
      <FactsProvider facts={factsHere}>{children}</FactsProvider>
    </DocumentWordsProvider>
  );
}

/** A component as a piece of a document: in an Astro page it stays as it is, or, with `client:touch`, is an island. */
export function documentPart<Props extends object>(Part: ComponentType<Props>) {
  return function DocumentPart({ language, words, ...props }: Props & Spoken) {
    return (
      <DocumentParts language={language} words={words}>
        <Part {...(props as Props)} />
      </DocumentParts>
    );
  };
}
