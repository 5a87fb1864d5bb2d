import i18next, { type LanguageDetectorModule, type PostProcessorModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { billingStore } from '../api/billing.ts';
import { unbroken } from './format.ts';
import { firstKnown, htmlLang, type Language, toLanguage } from './language.ts';
import { languageKey, mirrorLanguage, storedLanguage, storeLanguage } from './languageStorage.ts';
import { unbilled } from './unbilled.ts';

/**
 * Loading of texts: up to five retries, after 0.35 s and twice as long each time, ten files at
 * once.
 */
export const textLoading = { retries: 5, retryMs: 350, parallel: 10 };

/** Texts in their groups. */
export type TextTree = { [key: string]: string | TextTree };

/** Loads the texts of a folder: those of `features/auth` are in `features/auth/words`. */
export type LoadTexts = (folder: string, language: Language) => Promise<TextTree>;

/** Places to detect and store the language, in this order. */
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
 * Chinese has no space between its characters. Removes the space beside a Chinese name in a
 * sentence written for Latin names.
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

/** Adds texts. Where nothing is charged, texts about money are replaced by others. */
export function addTexts(language: Language, texts: TextTree): void {
  bundles.push([language, texts]);
  addBundle(language, texts);
}

billingStore.subscribe(() => {
  for (const [language, texts] of bundles) addBundle(language, texts);
  // Components that show a text read it again.
  if (bundles.length > 0) i18next.emit('languageChanged', i18next.language);
});

let loadTexts: LoadTexts = () => Promise.resolve({});

/**
 * Starts with `language`, or, without one, with the stored, the browser's or the page's. Its texts
 * are not loaded yet.
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
      // Both languages are complete, so the fallback is not loaded beside English.
      fallbackLng: (wanted) => (!wanted || toLanguage(wanted) === 'en' ? [] : ['zh']),
      load: 'languageOnly',
      // React escapes by itself. The "escape" here handles the line breaks inside a date.
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
/** Folders whose texts the pages have requested so far. Another language needs them too. */
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
    // The language may have changed meanwhile.
    if (toLanguage(i18next.language) !== language) return texts();
    for (const folder of folders) requestedFolders.add(folder);
  };
  const [loaded] = await Promise.all([load(), texts()]);
  return loaded;
}

/**
 * Switches to another language and stores the choice. Rejects without a change if its texts do not
 * load.
 */
export async function switchLanguage(language: Language): Promise<void> {
  let known = -1;
  // A page that loads meanwhile adds its own folders.
  while (known !== requestedFolders.size) {
    known = requestedFolders.size;
    await Promise.all([...requestedFolders].map((folder) => loadFolder(folder, language)));
  }
  await i18next.changeLanguage(language);
}
