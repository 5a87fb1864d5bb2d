import type { Fact } from '../../../shared/api/facts.tsx';
import type { TextKey } from '../../../shared/i18n/textKey.ts';

/**
 * Sentence of a legal text. It appears only if the document has the fact `fact`, or lacks the fact
 * `without`.
 */
export type Point = TextKey | { textKey: TextKey; fact: Fact } | { textKey: TextKey; without: Fact };

/** Part of a legal text: an introduction and a list of points. */
export interface PolicyPart {
  id: string;
  title: TextKey;
  text?: TextKey;
  points: readonly Point[];
  /** True if the part is about money. It is omitted if the server charges nothing. */
  money?: boolean;
}
