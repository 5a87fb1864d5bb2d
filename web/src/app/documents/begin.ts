import type { Language } from '../../shared/i18n/language.ts';
import { keepOwnLanguage } from '../../shared/i18n/remember.ts';
import { registerWorker } from '../../shared/pwa/registerWorker.ts';
import { followThemeColor } from '../../shared/theme/themeColor.ts';

/** What a document does once its code is there, whichever it is. */
export function begin(language: Language): void {
  keepOwnLanguage(language);
  followThemeColor();
  registerWorker();
}
