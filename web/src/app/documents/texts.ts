import { allTexts } from '../../../scripts/textFiles.ts';
import type { DocumentTexts } from '../../shared/i18n/documentTexts.tsx';
import type { Language } from '../../shared/i18n/language.ts';

/** Texts that documents show around their pages. */
export const frameTexts = ['brand', 'footer', 'nav', 'problem', 'settings', 'shell'];

/** Texts of a public page's header. They are serialized with its island. */
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
 * Returns the texts of some groups, which a document gives its island at build time. A group is
 * `auth`, for example; `landing.city0` is a single text.
 */
export function textsOf(language: Language, groups: readonly string[]): DocumentTexts {
  const wanted = (key: string) => groups.some((group) => key === group || key.startsWith(`${group}.`));
  return Object.fromEntries(Object.entries(allTexts(language)).filter(([key]) => wanted(key)));
}
