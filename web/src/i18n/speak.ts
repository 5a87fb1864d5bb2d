import i18next, { type BackendModule, type ResourceKey } from 'i18next';
import LanguageDetector from 'i18next-browser-languagedetector';
import { initReactI18next } from 'react-i18next';
import { unbroken } from './format.ts';
import { htmlLang, type Language, toLanguage } from './language.ts';
import { languageKey, mirrorLanguage } from './remember.ts';

const loaders: Record<Language, () => Promise<unknown>> = { en: () => import('./en.json'), zh: () => import('./zh.json') };

/** How the words are asked for: again up to five times, after 0.35 s and twice as long each time, ten at once. */
export const wordLoading = { maxRetries: 5, retryTimeout: 350, maxParallelReads: 10 };

/** Words by way of a loader; one that fails is worth another try. */
export const wordsBy = (load: (language: Language) => Promise<unknown>): BackendModule => ({
  type: 'backend',
  init: () => undefined,
  read: (language, _, done) => {
    load(toLanguage(language)).then(
      (words) => done(null, (words as { default: ResourceKey }).default),
      (error: Error) => done(error, true),
    );
  },
});

i18next.on('languageChanged', (language) => {
  document.documentElement.lang = htmlLang[toLanguage(language)];
  mirrorLanguage(toLanguage(language));
});

/** Loads the words of `language`, or, when none is given, of the one that is stored, the browser's or the page's. */
export const speak = (language?: Language): Promise<unknown> =>
  i18next
    .use(LanguageDetector)
    .use(wordsBy((wanted) => loaders[wanted]()))
    .use(initReactI18next)
    .init({
      ...(language && { lng: language }),
      ...wordLoading,
      supportedLngs: ['zh', 'en'],
      fallbackLng: 'zh',
      load: 'languageOnly',
      // React escapes by itself; what is "escaped" here is the line break inside a date.
      interpolation: { escapeValue: true, escape: unbroken },
      returnNull: false,
      detection: {
        order: ['localStorage', 'navigator', 'htmlTag'],
        caches: ['localStorage'],
        lookupLocalStorage: languageKey,
        convertDetectedLanguage: toLanguage,
      },
    });
