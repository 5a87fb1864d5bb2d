import type { Language } from '../../shared/i18n/language.ts';
import { keepOwnLanguage } from '../../shared/i18n/remember.ts';
import { registerWorker } from '../../shared/pwa/registerWorker.ts';
import { followThemeColor } from '../../shared/theme/themeColor.ts';

/** Starts a document once its code has loaded. Every document calls it. */
export function begin(language: Language): void {
  keepOwnLanguage(language);
  followThemeColor();
  registerWorker();
}
