import { allTexts } from '../../../scripts/wordFiles.ts';
import type { DocumentWords } from '../../shared/i18n/documentWords.tsx';
import type { Language } from '../../shared/i18n/language.ts';

/** The words that documents say around their pages. */
export const frameWords = ['brand', 'footer', 'nav', 'problem', 'settings', 'shell'];

/** The words of the header of a page for everybody, which travel with its island. */
const ofShell = ['home', 'mainNav', 'language', 'en', 'zh', 'toDark', 'toLight', 'account', 'balance'];
const ofOpen = ['showcase', 'feedback', 'contact', 'menu'];
export const headerWords = [
  'brand',
  'nav',
  'settings.languageFailed',
  ...ofShell.map((name) => `shell.${name}`),
  ...ofOpen.map((name) => `open.${name}`),
];

/** The words of some groups, which a document gives its island while it is built: `auth`, or a single text: `landing.city0`. */
export function wordsOf(language: Language, groups: readonly string[]): DocumentWords {
  const wanted = (key: string) => groups.some((group) => key === group || key.startsWith(`${group}.`));
  return Object.fromEntries(Object.entries(allTexts(language)).filter(([key]) => wanted(key)));
}
