import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { flat, Splitter, type Tree } from '../../../scripts/words.ts';
import type { Area } from '../../shared/i18n/areas.ts';
import type { DocumentWords } from '../../shared/i18n/documentWords.tsx';
import type { Language } from '../../shared/i18n/language.ts';

/** The words that a document of some areas can say, found while it is built. */
export function wordsOf(language: Language, wanted: Area[], root = process.cwd()): DocumentWords {
  const words = JSON.parse(readFileSync(resolve(root, `src/shared/i18n/${language}.json`), 'utf8')) as Tree;
  const splitter = new Splitter(root, words);
  const said = wanted.map((area) => splitter.saidIn(area));
  return Object.fromEntries([...flat(words)].filter(([key]) => said.some((keys) => keys.has(key))));
}
