import { QueryClientProvider } from '@tanstack/react-query';
import i18next from 'i18next';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { rememberReferral } from '../parts/account/referral.ts';
import { claimEarlyResponse } from '../shared/api/early.ts';
import { loadMethods, whenBillingKnown } from '../shared/api/methods.ts';
import { queryClient } from '../shared/api/queries.ts';
import { onLogout, sessionReady } from '../shared/api/session.ts';
import { requestHooks } from '../shared/api/wire.ts';
import { popPageMessage } from '../shared/browser/pageMessage.ts';
import { AppUiTexts } from '../shared/i18n/AppUiTexts.tsx';
import { showInstantsIn, viewerZone } from '../shared/i18n/displayZone.ts';
import { toLanguage } from '../shared/i18n/language.ts';
import { startI18n, withTexts } from '../shared/i18n/translations.ts';
import { reloadForNewBuild } from '../shared/pwa/newBuild.ts';
import { registerWorker } from '../shared/pwa/registerWorker.ts';
import { showStartFailure } from '../shared/pwa/startFailure.ts';
import { fetchLetters } from '../shared/theme/letters.ts';
import { followThemeColor } from '../shared/theme/themeColor.ts';
import { toast } from '../shared/ui/toasts.ts';
import { clearOtherUserData, clearUserData } from './clearUserData.ts';
import { frameTextFolders } from './pageTextFolders.ts';
import { startRouter } from './router.tsx';
import { ToastHost } from './shell/ToastHost.tsx';
import { loadTexts } from './texts.ts';

/** Time after the start at which background code loads. */
const SETTLED_MS = 5_000;

const root = document.getElementById('root');
if (!root) throw new Error('the document has no #root');

// Public documents have one fixed time zone. The app uses the zone of the viewer.
showInstantsIn(viewerZone());
requestHooks.early = claimEarlyResponse;
rememberReferral(window.location.search);
// The document has the stored language, or the one that the server chose by the browser's request.
// In development the server chooses none.
startI18n(loadTexts, import.meta.env.DEV ? undefined : toLanguage(document.documentElement.lang));
const textsReady = withTexts(frameTextFolders, whenBillingKnown);
const router = startRouter();

onLogout(clearUserData);
followThemeColor();
registerWorker();
// The offline banner must be loaded before the network fails. Its code loads last.
window.setTimeout(() => void import('./shell/afterSettled.ts').catch(() => undefined), SETTLED_MS);

/**
 * Shows the document's skeleton (documents/FirstLook.astro) until the page's code has loaded, so
 * that the user sees only one skeleton.
 */
const pageReady = new Promise<void>((resolve) => {
  if (router.state.initialized) resolve();
  else router.subscribe(({ initialized }) => initialized && resolve());
});

const greetings = {
  welcomeNew: 'auth.welcomeNew',
  steppedUp: 'auth.steppedUp',
  googleLinked: 'auth.googleLinked',
  passwordRemoved: 'auth.passwordRemoved',
} as const;

/**
 * Shows the message that the sign-in page, which is a separate document, has stored for the app.
 */
function showGreeting(): void {
  const greeting = popPageMessage()?.greeting;
  if (greeting) toast.success(i18next.t(greetings[greeting]));
}

Promise.all([textsReady, sessionReady(), pageReady]).then(
  () => {
    clearOtherUserData();
    // A transition renders in small steps, so that presses are handled in between.
    startTransition(() =>
      createRoot(root).render(
        <StrictMode>
          <QueryClientProvider client={queryClient}>
            <AppUiTexts>
              <RouterProvider router={router} />
              <ToastHost />
            </AppUiTexts>
          </QueryClientProvider>
        </StrictMode>,
      ),
    );
    fetchLetters();
    showGreeting();
    // Requests the sign-in methods, because the stored ones may be outdated.
    void loadMethods();
  },
  // The texts or the session's code did not load. An error with a retry button replaces the
  // skeleton.
  () => {
    showStartFailure(root, toLanguage(i18next.language));
    void reloadForNewBuild();
  },
);
