import { useEffect } from 'react';
import { template } from '../../shared/api/facts.tsx';
import { methodsOf, storeMethods } from '../../shared/api/methods.ts';
import { startSession } from '../../shared/api/session.ts';
import { AppUiTexts } from '../../shared/i18n/AppUiTexts.tsx';
import { fetchLetters } from '../../shared/theme/letters.ts';
import { ToastHost } from '../shell/ToastHost.tsx';
import type { AuthPageName } from './authPages.ts';
import { begin } from './begin.ts';
import { DocumentFrame } from './DocumentFrame.tsx';
import { DocumentParts, factsHere, type TranslatedProps } from './documentPart.tsx';
import { repeatFirstPress } from './firstPress.ts';
import { pages } from './pages.tsx';

interface Props extends TranslatedProps {
  page: AuthPageName;
}

if (factsHere !== template) storeMethods(methodsOf(factsHere));

/** Renders a sign-in page with its frame. It is the only Astro island of its document. */
export function AuthDocument({ page, language, texts }: Props) {
  useEffect(() => {
    begin(language);
    fetchLetters();
    // The app may have redirected here because the stored session was invalid. Restoring that
    // session would redirect back in an endless loop.
    if (!('turnedAway' in document.documentElement.dataset)) void startSession();
    repeatFirstPress();
  }, [language]);
  const Page = pages[page];
  return (
    <DocumentParts language={language} texts={texts}>
      <AppUiTexts>
        <DocumentFrame>
          <Page />
        </DocumentFrame>
      </AppUiTexts>
      <ToastHost />
    </DocumentParts>
  );
}
