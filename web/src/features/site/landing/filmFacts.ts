import type { Language } from '../../../shared/i18n/language.ts';
import made from './film.json';

/** Caption of a part of the video. The texts are `showcase.cue.*`. */
export type Cue = 'login' | 'reading' | 'criteria' | 'confirm' | 'looking' | 'booked';

/**
 * Data of a video that `scripts/e2e.sh --tool film` recorded, in seconds: its length, the start of
 * each chapter, and the start of each caption. There is one chapter per step.
 */
export interface FilmFacts {
  seconds: number;
  chapters: number[];
  cues: [number, Cue][];
}

/** Format of a video: for wide screens or for phones. */
export type FilmSize = 'wide' | 'phone';

/**
 * Videos for wide screens and phones, in each language. The files are `/film/{language}-{size}.*`.
 */
export const films = made as unknown as Record<Language, Record<FilmSize, FilmFacts>>;

/** Returns the index of the last moment that `second` has reached, or -1 before the first. */
export function reached(moments: number[], second: number): number {
  return moments.findLastIndex((moment) => moment <= second);
}

/** Returns the played share of a chapter, from 0 to 1. */
export function shownOf({ chapters, seconds }: FilmFacts, chapter: number, second: number): number {
  const from = chapters[chapter] ?? 0;
  const to = chapters[chapter + 1] ?? seconds;
  return Math.min(1, Math.max(0, (second - from) / (to - from)));
}

/** Formats seconds as `0:17`. */
export function minutes(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
