import { useEffect } from 'react';
import { rememberReferral } from '../../parts/account/referral.ts';
import { type Facts, FactsProvider, readFacts, template } from '../../shared/api/facts.tsx';
import { knowMethods } from '../../shared/api/methods.ts';
import { startSession } from '../../shared/api/session.ts';
import { AppUiWords } from '../../shared/i18n/AppUiWords.tsx';
import { type DocumentWords, DocumentWordsProvider } from '../../shared/i18n/documentWords.tsx';
import type { Language } from '../../shared/i18n/language.ts';
import { mirrorLanguage, storeLanguage } from '../../shared/i18n/remember.ts';
import { registerWorker } from '../../shared/pwa/registerWorker.ts';
import { ToastHost } from '../shell/ToastHost.tsx';
import type { AuthPageName } from './authPages.ts';
import { DocumentFrame } from './DocumentFrame.tsx';
import { pages } from './pages.tsx';

interface Props {
  page: AuthPageName;
  language: Language;
  words: DocumentWords;
}

/** What the server put into the document; a template while the build makes it. */
function factsHere(): Facts | typeof template {
  if (typeof document === 'undefined') return template;
  const facts = readFacts();
  knowMethods({ google: facts.google !== undefined, mail: facts.mail !== undefined });
  return facts;
}

const facts = factsHere();

/** Once the page is alive: who is here, in which language, by whose code. */
function begin(language: Language): void {
  storeLanguage(language);
  mirrorLanguage(language);
  rememberReferral(window.location.search);
  registerWorker();
  // Whom the app found not to be signed in, for all that is stored, must not be sent back to it.
  if (!('turnedAway' in document.documentElement.dataset)) void startSession();
}

/** A page around signing in with its frame: the one island of its document. */
export function AuthDocument({ page, language, words }: Props) {
  useEffect(() => begin(language), [language]);
  const Page = pages[page];
  return (
    <DocumentWordsProvider language={language} words={words}>
      <AppUiWords>
        <FactsProvider facts={facts}>
          <DocumentFrame>
            <Page />
          </DocumentFrame>
          <ToastHost />
        </FactsProvider>
      </AppUiWords>
    </DocumentWordsProvider>
  );
}
