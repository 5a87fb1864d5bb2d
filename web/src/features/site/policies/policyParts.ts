import type { Fact } from '../../../shared/api/facts.tsx';
import type { Words } from '../../../shared/i18n/words.ts';

/** A sentence; one that is said only where the server knows something (`fact`), or does not (`without`). */
export type Point = Words | { words: Words; fact: Fact } | { words: Words; without: Fact };

/** A part of a page of rules: what it says first, and what follows from it point by point. */
export interface PolicyPart {
  id: string;
  title: Words;
  text?: Words;
  points: readonly Point[];
  /** It is about money: left out where nothing is charged. */
  money?: boolean;
}
