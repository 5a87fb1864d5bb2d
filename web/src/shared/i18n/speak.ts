import i18next, { type BackendModule, type LanguageDetectorModule, type ResourceKey } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Area } from './areas.ts';
import { unbroken } from './format.ts';
import { htmlLang, type Language, toLanguage } from './language.ts';
import { languageKey, mirrorLanguage, storedLanguage, storeLanguage } from './remember.ts';

/** How the words are asked for: again up to five times, after 0.35 s and twice as long each time, ten at once. */
export const wordLoading = { maxRetries: 5, retryTimeout: 350, maxParallelReads: 10 };

/** Where a language is looked for, in this order, and where the choice is kept. */
const detection = { order: ['localStorage', 'navigator', 'htmlTag'], caches: ['localStorage'], lookupLocalStorage: languageKey };

/** How the pieces of the words are loaded, by language and area. */
export type Pieces = Record<Language, Partial<Record<string, () => Promise<unknown>>>>;

/** Words by way of a loader; one that fails is worth another try. */
export const wordsBy = (load: (language: Language, area: string) => Promise<unknown>): BackendModule => ({
  type: 'backend',
  init: () => undefined,
  read: (language, area, done) => {
    load(toLanguage(language), area).then(
      (words) => done(null, (words as { default: ResourceKey }).default),
      (error: Error) => done(error, true),
    );
  },
});

const detector: LanguageDetectorModule = {
  type: 'languageDetector',
  detect: () => {
    const found = { localStorage: storedLanguage(), navigator: navigator.language, htmlTag: document.documentElement.lang };
    return toLanguage(detection.order.map((place) => found[place as keyof typeof found]).find(Boolean));
  },
  cacheUserLanguage: (language) => storeLanguage(toLanguage(language)),
};

const follow = (language: string) => {
  document.documentElement.lang = htmlLang[toLanguage(language)];
  mirrorLanguage(toLanguage(language));
};

/** Resolves when it is known which language is spoken; at once where nobody has asked for one. */
let begun: Promise<unknown> = Promise.resolve();

/** i18next is content with nothing and shows the keys: throws where the words of an area have not come. */
const demand = (language: Language, area: string) => {
  if (!i18next.hasResourceBundle(language, area)) throw new Error(`the words of ${area} did not come`);
};

/**
 * Loads the words of `first` in `language`, or, when none is given, in the one that is stored, the browser's or the page's.
 * Rejects when they do not come; the next call asks again.
 */
export const speak = (pieces: Pieces, first: 'app' | 'open', language?: Language): Promise<unknown> => {
  const starting = i18next.isInitialized
    ? i18next.reloadResources([toLanguage(language ?? i18next.language)], [first])
    : start(pieces, first, language);
  begun = starting.then(() => demand(toLanguage(i18next.language), first));
  return begun;
};

const start = (pieces: Pieces, first: 'app' | 'open', language?: Language): Promise<unknown> => {
  // Not when this module is read: documents are made where there is none.
  i18next.on('languageChanged', follow);
  return i18next
    .use(detector)
    .use(
      wordsBy(async (wanted, area) => {
        const load = pieces[wanted][area];
        return load ? load() : { default: {} };
      }),
    )
    .use(initReactI18next)
    .init({
      ...(language && { lng: language }),
      ...wordLoading,
      ns: [first],
      defaultNS: first as 'translation',
      // The areas that have come since (`withWords` below).
      fallbackNS: [],
      supportedLngs: ['zh', 'en'],
      // Both languages say everything: beside English, Chinese need not be loaded.
      fallbackLng: (wanted) => (!wanted || toLanguage(wanted) === 'en' ? [] : ['zh']),
      load: 'languageOnly',
      // React escapes by itself; what is "escaped" here is the line break inside a date.
      interpolation: { escapeValue: true, escape: unbroken },
      returnNull: false,
      detection,
    });
};

/** Speaks another language from now on, and keeps the choice; rejects, and all stays as it is, when its words do not come. */
export async function speakNow(language: Language): Promise<void> {
  const { defaultNS, fallbackNS } = i18next.options;
  const areas = [defaultNS, fallbackNS].flat().filter((area) => typeof area === 'string');
  const missing = areas.filter((area) => !i18next.hasResourceBundle(language, area));
  if (missing.length > 0) await i18next.reloadResources([language], missing);
  for (const area of areas) demand(language, area);
  await i18next.changeLanguage(language);
}

const failed = new Set<Area>();

/** Loads something together with the words of its area; the next call tries again where either did not come. */
export async function withWords<T>(area: Area, load: () => Promise<T>): Promise<T> {
  const words = async () => {
    // Named at once, so that they come with the first ones; the router asks for a page before there is a language.
    await i18next.loadNamespaces(area);
    await begun;
    const spoken = toLanguage(i18next.language);
    if (failed.has(area)) await i18next.reloadResources([spoken], [area]);
    else if (!i18next.hasResourceBundle(spoken, area)) await i18next.loadNamespaces(area);
    return spoken;
  };
  const [loaded, language] = await Promise.all([load(), words()]);
  // Until shown otherwise.
  failed.add(area);
  demand(language, area);
  failed.delete(area);
  const areas = i18next.options.fallbackNS as string[];
  if (!areas.includes(area)) areas.push(area);
  return loaded;
}
