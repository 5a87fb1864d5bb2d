import type { Language } from '../../shared/i18n/language.ts';
import { storeDocumentLanguage } from '../../shared/i18n/languageStorage.ts';
import { registerWorker } from '../../shared/pwa/registerWorker.ts';
import { followThemeColor } from '../../shared/theme/themeColor.ts';

/** Initializes a document after its code has loaded. Every document calls it. */
export function begin(language: Language): void {
  storeDocumentLanguage(language);
  followThemeColor();
  registerWorker();
}
