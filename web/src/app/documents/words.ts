import { allTexts } from '../../../scripts/wordFiles.ts';
import type { DocumentWords } from '../../shared/i18n/documentWords.tsx';
import type { Language } from '../../shared/i18n/language.ts';

/** Texts that documents show around their pages. */
export const frameWords = ['brand', 'footer', 'nav', 'problem', 'settings', 'shell'];

/** Texts of a public page's header. They are serialized with its island. */
const ofShell = ['home', 'mainNav', 'language', 'en', 'zh', 'toDark', 'toLight', 'account', 'balance'];
const ofOpen = ['showcase', 'feedback', 'contact', 'menu'];
export const headerWords = [
  'brand',
  'nav',
  'settings.languageFailed',
  ...ofShell.map((name) => `shell.${name}`),
  ...ofOpen.map((name) => `open.${name}`),
];

/**
 * Returns the texts of some groups, which a document gives its island at build time. A group is
 * `auth`, for example; `landing.city0` is a single text.
 */
export function wordsOf(language: Language, groups: readonly string[]): DocumentWords {
  const wanted = (key: string) => groups.some((group) => key === group || key.startsWith(`${group}.`));
  return Object.fromEntries(Object.entries(allTexts(language)).filter(([key]) => wanted(key)));
}
