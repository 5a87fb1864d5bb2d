import type { Fact } from '../../../shared/api/facts.tsx';
import type { TextKey } from '../../../shared/i18n/textKey.ts';

/**
 * A sentence. Some apply only if the server knows a fact (`fact`), or does not know it (`without`).
 */
export type Point = TextKey | { textKey: TextKey; fact: Fact } | { textKey: TextKey; without: Fact };

/** Part of a page of rules: an introduction, then point by point. */
export interface PolicyPart {
  id: string;
  title: TextKey;
  text?: TextKey;
  points: readonly Point[];
  /** About money. It is left out where the server charges nothing. */
  money?: boolean;
}
