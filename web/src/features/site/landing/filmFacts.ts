import type { Language } from '../../../shared/i18n/language.ts';
import made from './film.json';

/** What is said about a moment of the film; the words are `showcase.cue.*`. */
export type Cue = 'login' | 'reading' | 'criteria' | 'confirm' | 'looking' | 'booked';

/** A film as `scripts/e2e.sh --tool film` made it, in seconds: one chapter a step, and what is said from when on. */
export interface FilmFacts {
  seconds: number;
  chapters: number[];
  cues: [number, Cue][];
}

/** For wide screens, or for phones. */
export type FilmSize = 'wide' | 'phone';

/** A film for wide screens and one for phones, per language; their files are `/film/{language}-{size}.*`. */
export const films = made as unknown as Record<Language, Record<FilmSize, FilmFacts>>;

/** The index of the last of these moments that has come; -1 before the first. */
export function reached(moments: number[], second: number): number {
  return moments.findLastIndex((moment) => moment <= second);
}

/** How much of a chapter has been shown, from 0 to 1. */
export function shownOf({ chapters, seconds }: FilmFacts, chapter: number, second: number): number {
  const from = chapters[chapter] ?? 0;
  const to = chapters[chapter + 1] ?? seconds;
  return Math.min(1, Math.max(0, (second - from) / (to - from)));
}

/** Seconds as `0:17`. */
export function minutes(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
