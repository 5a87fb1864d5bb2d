// Code that runs some time after the app has started.
import i18next from 'i18next';
import { toLanguage } from '../../shared/i18n/language.ts';
// Preloads the code of the toasts.
import './Toasts.tsx';

/**
 * Returns whether this browser is a notification channel. It reads the storage itself, to avoid
 * loading shared/browser/ownPush.ts.
 */
function isChannel(): boolean {
  try {
    return localStorage.getItem('sooner.push') !== null;
  } catch {
    return false;
  }
}

// Sends a changed push address of this browser to the server. After a failure the next start
// retries.
if (isChannel())
  import('../../parts/channels/setup/renewPush.ts')
    .then(({ renewPush }) => renewPush(toLanguage(i18next.language)))
    .catch(() => undefined);
