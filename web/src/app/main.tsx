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

/** Time after the start when the page counts as settled. */
const SETTLED_MS = 5_000;

const root = document.getElementById('root');
if (!root) throw new Error('the document has no #root');

// Public documents use one fixed zone. The app shows instants in the viewer's zone.
showInstantsIn(viewerZone());
requestHooks.early = claimEarlyResponse;
rememberReferral(window.location.search);
// The document has the stored language, or the one that the server chose from the browser's
// request. In development the server chooses none.
startI18n(loadTexts, import.meta.env.DEV ? undefined : toLanguage(document.documentElement.lang));
const textsReady = withTexts(frameTextFolders, whenBillingKnown);
const router = startRouter();

onLogout(clearUserData);
followThemeColor();
registerWorker();
// The offline banner must exist before the network fails. Its code loads when nothing else does.
window.setTimeout(() => void import('./shell/afterSettled.ts').catch(() => undefined), SETTLED_MS);

/**
 * Keeps the document's skeleton (documents/FirstLook.astro) until the page has its code, so that
 * only one skeleton is shown.
 */
const pageReady = new Promise<void>((resolve) => {
  if (router.state.initialized) resolve();
  else router.subscribe(({ initialized }) => initialized && resolve());
});

/** Shows the message that the sign-in page, a document of its own, left for the app. */
function showGreeting(): void {
  const greeting = popPageMessage()?.greeting;
  if (greeting === 'welcomeNew') toast.success(i18next.t('auth.welcomeNew'));
  if (greeting === 'steppedUp') toast.success(i18next.t('auth.steppedUp'));
  if (greeting === 'googleLinked') toast.success(i18next.t('auth.googleLinked'));
}

Promise.all([textsReady, sessionReady(), pageReady]).then(
  () => {
    clearOtherUserData();
    // Renders in small steps, so that presses are handled in between.
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
    // The methods that this browser stored may have changed.
    void loadMethods();
  },
  // Text keys or an endless skeleton would be worse. The user sees an error and can try again.
  () => {
    showStartFailure(root, toLanguage(i18next.language));
    void reloadForNewBuild();
  },
);
