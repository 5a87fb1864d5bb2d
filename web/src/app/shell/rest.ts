// What the app does once its page rests.
import i18next from 'i18next';
import { toLanguage } from '../../shared/i18n/language.ts';
// Its code is here when something is to be said.
import './Toasts.tsx';

/** Whether this browser is a notification channel (shared/browser/ownPush.ts, whose code is not needed for that). */
function isChannel(): boolean {
  try {
    return localStorage.getItem('sooner.push') !== null;
  } catch {
    return false;
  }
}

// Another address of this browser's push service is told to the server; who is offline tells it the next time.
if (isChannel())
  import('../../parts/channels/setup/renewPush.ts')
    .then(({ renewPush }) => renewPush(toLanguage(i18next.language)))
    .catch(() => undefined);
