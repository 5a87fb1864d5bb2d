import type { Language } from '../../src/shared/i18n/language.ts';

/** A language, a colour scheme and a width in pixels. */
export interface Scene {
  language: Language;
  dark: boolean;
  width: number;
}

/**
 * Returns the scenes of a story: the first two, in which each language and each scheme is shown
 * once. With `SOONER_SCENES=all`, which `scripts/reliability.sh browser` sets, all.
 */
export function chosen(scenes: readonly Scene[]): readonly Scene[] {
  return process.env.SOONER_SCENES === 'all' ? scenes : scenes.slice(0, 2);
}
