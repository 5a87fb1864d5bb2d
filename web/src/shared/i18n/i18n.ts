import { addWords, startSpeaking, type WordsTree } from './speak.ts';

const files = import.meta.glob<WordsTree>(['/src/**/words/*.json', '!/src/shared/ui/**'], { import: 'default', eager: true });

/** For tests: everything can be said at once, in both languages. */
startSpeaking(() => Promise.resolve({}));
for (const [path, words] of Object.entries(files)) {
  addWords(path.endsWith('/zh.json') ? 'zh' : 'en', words);
}

/** Resolves at once. */
export const i18nReady = Promise.resolve();
