import i18next from 'i18next';
import LanguageDetector from 'i18next-browser-languagedetector';
import resourcesToBackend from 'i18next-resources-to-backend';
import { initReactI18next } from 'react-i18next';
import { unbroken } from './format.ts';

/** The languages of the product; `zh` is the default and the fallback. */
export type Language = 'en' | 'zh';

/** Maps any BCP 47 tag to a language of ours: what is not English is Chinese. */
export function toLanguage(tag: string | undefined | null): Language {
  return tag && /^en/i.test(tag) ? 'en' : 'zh';
}

/** The `lang` attribute of a language of ours. */
export const htmlLang: Record<Language, string> = { en: 'en', zh: 'zh-CN' };

const loaders: Record<Language, () => Promise<unknown>> = { en: () => import('./en.json'), zh: () => import('./zh.json') };

i18next.on('languageChanged', (language) => {
  document.documentElement.lang = htmlLang[toLanguage(language)];
});

/** Resolves when the words of the detected language are there. */
export const i18nReady = i18next
  .use(LanguageDetector)
  .use(resourcesToBackend((language: string) => loaders[toLanguage(language)]()))
  .use(initReactI18next)
  .init({
    supportedLngs: ['zh', 'en'],
    fallbackLng: 'zh',
    load: 'languageOnly',
    // React escapes by itself; what is "escaped" here is the line break inside a date.
    interpolation: { escapeValue: true, escape: unbroken },
    returnNull: false,
    detection: {
      order: ['localStorage', 'navigator', 'htmlTag'],
      caches: ['localStorage'],
      lookupLocalStorage: 'i18nextLng',
      convertDetectedLanguage: toLanguage,
    },
  });
