import { QueryClientProvider } from '@tanstack/react-query';
import i18next from 'i18next';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { rememberReferral } from '../parts/account/referral.ts';
import { takeEarly } from '../shared/api/early.ts';
import { billingKnown, loadMethods } from '../shared/api/methods.ts';
import { queryClient } from '../shared/api/queries.ts';
import { onLogout, sessionReady } from '../shared/api/session.ts';
import { asked } from '../shared/api/wire.ts';
import { takeNote } from '../shared/browser/note.ts';
import { AppUiWords } from '../shared/i18n/AppUiWords.tsx';
import { showInstantsIn, viewerZone } from '../shared/i18n/displayZone.ts';
import { toLanguage } from '../shared/i18n/language.ts';
import { startSpeaking, withWords } from '../shared/i18n/speak.ts';
import { reloadForNewBuild } from '../shared/pwa/newBuild.ts';
import { sayNotStarted } from '../shared/pwa/notStarted.ts';
import { registerWorker } from '../shared/pwa/registerWorker.ts';
import { fetchLetters } from '../shared/theme/letters.ts';
import { followThemeColor } from '../shared/theme/themeColor.ts';
import { toast } from '../shared/ui/toasts.ts';
import { forgetOthers, forgetPerson } from './forgetPerson.ts';
import { firstWords } from './pageWords.ts';
import { startRouter } from './router.tsx';
import { ToastHost } from './shell/ToastHost.tsx';
import { loadWords } from './words.ts';

/** How long after its start the page is taken to rest. */
const REST_MS = 5_000;

const root = document.getElementById('root');
if (!root) throw new Error('the document has no #root');

// Documents for everybody stay in one zone; in the app, events have the time on the viewer's clock.
showInstantsIn(viewerZone());
asked.early = takeEarly;
rememberReferral(window.location.search);
// The document is in the language that was stored, or that the server chose of all the browser asks for; in development it chooses none.
startSpeaking(loadWords, import.meta.env.DEV ? undefined : toLanguage(document.documentElement.lang));
const firstSaid = withWords(firstWords, billingKnown);
const router = startRouter();

onLogout(forgetPerson);
followThemeColor();
registerWorker();
// Without a network there must be a place to say so: its code comes while nothing else does.
window.setTimeout(() => void import('./shell/rest.ts').catch(() => undefined), REST_MS);

/** Until the page has its code, what the document shows (documents/FirstLook.astro) stays: one outline, not two. */
const pageReady = new Promise<void>((resolve) => {
  if (router.state.initialized) resolve();
  else router.subscribe(({ initialized }) => initialized && resolve());
});

/** What the sign-in page, a document of its own, leaves to be said here. */
function greet(): void {
  const greeting = takeNote()?.greeting;
  if (greeting === 'welcomeNew') toast.success(i18next.t('auth.welcomeNew'));
  if (greeting === 'steppedUp') toast.success(i18next.t('auth.steppedUp'));
  if (greeting === 'googleLinked') toast.success(i18next.t('auth.googleLinked'));
}

Promise.all([firstSaid, sessionReady(), pageReady]).then(
  () => {
    forgetOthers();
    // A little at a time: a press is answered in between.
    startTransition(() =>
      createRoot(root).render(
        <StrictMode>
          <QueryClientProvider client={queryClient}>
            <AppUiWords>
              <RouterProvider router={router} />
              <ToastHost />
            </AppUiWords>
          </QueryClientProvider>
        </StrictMode>,
      ),
    );
    fetchLetters();
    greet();
    // What this browser was told before may have changed.
    void loadMethods();
  },
  // Keys instead of words, or an outline for ever, would be worse: whoever is here is told, and tries again.
  () => {
    sayNotStarted(root, toLanguage(i18next.language));
    void reloadForNewBuild();
  },
);
