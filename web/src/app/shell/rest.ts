// What the app does once its page rests.
import i18next from 'i18next';
import { ownPush } from '../../shared/browser/ownPush.ts';
import { toLanguage } from '../../shared/i18n/language.ts';
// Its code is here when something is to be said.
import './Toasts.tsx';

// Another address of this browser's push service is told to the server; who is offline tells it the next time.
if (ownPush())
  import('../../features/settings/channels/renewPush.ts')
    .then(({ renewPush }) => renewPush(toLanguage(i18next.language)))
    .catch(() => undefined);
