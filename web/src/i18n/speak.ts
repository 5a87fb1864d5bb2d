import i18next from 'i18next';
import LanguageDetector from 'i18next-browser-languagedetector';
import resourcesToBackend from 'i18next-resources-to-backend';
import { initReactI18next } from 'react-i18next';
import { unbroken } from './format.ts';
import { htmlLang, type Language, toLanguage } from './language.ts';

const loaders: Record<Language, () => Promise<unknown>> = { en: () => import('./en.json'), zh: () => import('./zh.json') };

const COOKIE_SECONDS = 365 * 86_400;

// The cookie mirrors the choice for the server, which picks the language of the pages it has ready.
i18next.on('languageChanged', (language) => {
  document.documentElement.lang = htmlLang[toLanguage(language)];
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari and on plain http
  document.cookie = `lang=${toLanguage(language)}; Path=/; Max-Age=${COOKIE_SECONDS}; SameSite=Lax`;
});

/** Loads the words of `language`, or, when none is given, of the one that is stored, the browser's or the page's. */
export const speak = (language?: Language): Promise<unknown> =>
  i18next
    .use(LanguageDetector)
    .use(resourcesToBackend((language: string) => loaders[toLanguage(language)]()))
    .use(initReactI18next)
    .init({
      ...(language && { lng: language }),
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
