import type { Language } from '../../src/shared/i18n/language.ts';

/** Language, colour scheme and width in pixels of a test. */
export interface Scene {
  language: Language;
  dark: boolean;
  width: number;
}

/**
 * Returns the scenes in which a test runs. By default these are the first two, which cover each
 * language and each scheme once. With `SOONER_SCENES=all` (scripts/reliability.sh browser) all are
 * returned.
 */
export function chosen(scenes: readonly Scene[]): readonly Scene[] {
  return process.env.SOONER_SCENES === 'all' ? scenes : scenes.slice(0, 2);
}
