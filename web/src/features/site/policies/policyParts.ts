import type { Fact } from '../../../shared/api/facts.tsx';
import type { Words } from '../../../shared/i18n/words.ts';

/**
 * A sentence. Some apply only if the server knows a fact (`fact`), or does not know it (`without`).
 */
export type Point = Words | { words: Words; fact: Fact } | { words: Words; without: Fact };

/** Part of a page of rules: an introduction, then point by point. */
export interface PolicyPart {
  id: string;
  title: Words;
  text?: Words;
  points: readonly Point[];
  /** About money. It is left out where the server charges nothing. */
  money?: boolean;
}
