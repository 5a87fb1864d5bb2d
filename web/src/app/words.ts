import type { LoadWords, WordsTree } from '../shared/i18n/speak.ts';

const files = import.meta.glob<WordsTree>(['/src/**/words/*.json', '!/src/shared/ui/**', '!/src/features/card/**'], {
  import: 'default',
});

/** Loads the words that lie beside a folder's code. */
export const loadWords: LoadWords = (folder, language) =>
  files[`/src/${folder}/words/${language}.json`]?.() ?? Promise.reject(new Error(`${folder} has no words`));
