// Work that the app does once its page has settled.
import i18next from 'i18next';
import { toLanguage } from '../../shared/i18n/language.ts';
// Loads the code of the toasts before the first one is needed.
import './Toasts.tsx';

/**
 * Returns whether this browser is a notification channel, without the code of
 * shared/browser/ownPush.ts.
 */
function isChannel(): boolean {
  try {
    return localStorage.getItem('sooner.push') !== null;
  } catch {
    return false;
  }
}

// Sends a changed address of the browser's push service to the server. An offline browser sends it
// next time.
if (isChannel())
  import('../../parts/channels/setup/renewPush.ts')
    .then(({ renewPush }) => renewPush(toLanguage(i18next.language)))
    .catch(() => undefined);
