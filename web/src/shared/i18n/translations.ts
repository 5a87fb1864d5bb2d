import i18next, { type LanguageDetectorModule, type PostProcessorModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { billingStore } from '../api/billing.ts';
import { unbroken } from './format.ts';
import { firstKnown, htmlLang, type Language, toLanguage } from './language.ts';
import { languageKey, mirrorLanguage, storedLanguage, storeLanguage } from './languageStorage.ts';
import { unbilled } from './unbilled.ts';

/**
 * Settings for loading texts: number of retries, first delay (doubled for each retry), and number
 * of parallel files.
 */
export const textLoading = { retries: 5, retryMs: 350, parallel: 10 };

/** Texts as nested groups, as in a locale file. */
export type TextTree = { [key: string]: string | TextTree };

/**
 * Function that loads the texts of a folder. The texts of `features/auth` are in
 * `features/auth/words`.
 */
export type LoadTexts = (folder: string, language: Language) => Promise<TextTree>;

/** Sources of the language in this order, and the place where i18next stores it. */
const detection = { order: ['localStorage', 'navigator', 'htmlTag'], caches: ['localStorage'], lookupLocalStorage: languageKey };

const detector: LanguageDetectorModule = {
  type: 'languageDetector',
  detect: () => {
    const found = {
      localStorage: storedLanguage(),
      navigator: firstKnown(navigator.languages),
      htmlTag: document.documentElement.lang,
    };
    return toLanguage(detection.order.map((place) => found[place as keyof typeof found]).find(Boolean));
  },
  cacheUserLanguage: (language) => storeLanguage(toLanguage(language)),
};

const applyLanguage = (language: string) => {
  document.documentElement.lang = htmlLang[toLanguage(language)];
  mirrorLanguage(toLanguage(language));
};

/**
 * Removes the space beside a Chinese name that is inserted into a Chinese sentence. The sentences
 * have spaces for Latin names.
 */
const chineseSpacing: PostProcessorModule = {
  type: 'postProcessor',
  name: 'chineseSpacing',
  process: (text, _, { name, what, channel }: Record<string, unknown>) =>
    name || what || channel ? text.replace(/(\p{Script=Han}) (?=\p{Script=Han})/gu, '$1') : text,
};

const bundles: [Language, TextTree][] = [];

function addBundle(language: Language, texts: TextTree): void {
  const bundle = billingStore.get() ? texts : unbilled(texts);
  i18next.addResourceBundle(language, 'translation', bundle, true, true);
}

/**
 * Adds texts to i18next. If the server charges nothing, the variants without money replace their
 * originals.
 */
export function addTexts(language: Language, texts: TextTree): void {
  bundles.push([language, texts]);
  addBundle(language, texts);
}

billingStore.subscribe(() => {
  for (const [language, texts] of bundles) addBundle(language, texts);
  // Makes mounted components read their texts again.
  if (bundles.length > 0) i18next.emit('languageChanged', i18next.language);
});

let loadTexts: LoadTexts = () => Promise.resolve({});

/**
 * Starts i18next with `language`. Without an argument it uses the stored language, the browser's or
 * the page's. It loads no texts yet.
 */
export function startI18n(load: LoadTexts, language?: Language): void {
  loadTexts = load;
  i18next.on('languageChanged', applyLanguage);
  void i18next
    .use(detector)
    .use(initReactI18next)
    .use(chineseSpacing)
    .init({
      ...(language && { lng: language }),
      initAsync: false,
      resources: {},
      supportedLngs: ['zh', 'en'],
      // English texts are complete. The Chinese fallback need not be loaded with them.
      fallbackLng: (wanted) => (!wanted || toLanguage(wanted) === 'en' ? [] : ['zh']),
      load: 'languageOnly',
      // React escapes values itself. This function only prevents line breaks within dates.
      interpolation: { escapeValue: true, escape: unbroken },
      returnNull: false,
      postProcess: [chineseSpacing.name],
      detection,
    });
}

let running = 0;
const waiting: (() => void)[] = [];

async function limitParallel<T>(work: () => Promise<T>): Promise<T> {
  if (running >= textLoading.parallel) await new Promise<void>((go) => waiting.push(go));
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 0; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      if (tried >= textLoading.retries) throw error;
      await new Promise((go) => setTimeout(go, textLoading.retryMs * 2 ** tried));
    }
  }
}

const loads = new Map<string, Promise<void>>();
/** Folders whose texts were requested so far. A change of the language loads them again. */
const requestedFolders = new Set<string>();

/** Loads the texts of a folder once. After a failure the next call retries. */
function loadFolder(folder: string, language: Language): Promise<void> {
  const name = `${folder} ${language}`;
  const known = loads.get(name);
  if (known) return known;
  const loading = limitParallel(() => withRetries(() => loadTexts(folder, language))).then(
    (texts) => addTexts(language, texts),
    (error: Error) => {
      loads.delete(name);
      throw new Error(`the words of ${folder} did not come`, { cause: error });
    },
  );
  loads.set(name, loading);
  return loading;
}

/** Loads code together with its texts. If either fails, the next call retries. */
export async function withTexts<T>(folders: readonly string[], load: () => Promise<T>): Promise<T> {
  const texts = async (): Promise<void> => {
    const language = toLanguage(i18next.language);
    await Promise.all(folders.map((folder) => loadFolder(folder, language)));
    // The user may have changed the language while the texts loaded.
    if (toLanguage(i18next.language) !== language) return texts();
    for (const folder of folders) requestedFolders.add(folder);
  };
  const [loaded] = await Promise.all([load(), texts()]);
  return loaded;
}

/**
 * Switches to another language and stores the choice. If the texts do not load, it rejects and
 * changes nothing.
 */
export async function switchLanguage(language: Language): Promise<void> {
  let known = -1;
  // Repeats, because a page may request more folders while the texts load.
  while (known !== requestedFolders.size) {
    known = requestedFolders.size;
    await Promise.all([...requestedFolders].map((folder) => loadFolder(folder, language)));
  }
  await i18next.changeLanguage(language);
}
