import { allTexts } from '../../../scripts/textFiles.ts';
import type { DocumentTexts } from '../../shared/i18n/documentTexts.tsx';
import type { Language } from '../../shared/i18n/language.ts';

/** Groups of texts for the frame of a document. */
export const frameTexts = ['brand', 'footer', 'nav', 'problem', 'settings', 'shell'];

/**
 * Texts of a public page's header. The document contains them in serialized form, because the
 * header is an island.
 */
const ofShell = ['home', 'mainNav', 'language', 'en', 'zh', 'toDark', 'toLight', 'account', 'balance'];
const ofOpen = ['showcase', 'feedback', 'contact', 'menu'];
export const headerTexts = [
  'brand',
  'nav',
  'settings.languageFailed',
  ...ofShell.map((name) => `shell.${name}`),
  ...ofOpen.map((name) => `open.${name}`),
];

/**
 * Returns the texts in some groups. A group is the beginning of keys, such as `auth`, or a single
 * key, such as `landing.city0`.
 */
export function textsOf(language: Language, groups: readonly string[]): DocumentTexts {
  const wanted = (key: string) => groups.some((group) => key === group || key.startsWith(`${group}.`));
  return Object.fromEntries(Object.entries(allTexts(language)).filter(([key]) => wanted(key)));
}
