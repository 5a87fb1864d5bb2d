import { WORD_JOINER } from '../../shared/i18n/format.ts';

const LONGEST = 45;

/**
 * Returns as many items as fit into 45 characters, and the number of other items. The first item is
 * always included.
 */
export function shortList(items: string[], comma: string): { text: string; more: number } {
  let text = '';
  let shown = 0;
  for (const item of items) {
    const next = shown === 0 ? item : `${text}${comma}${item}`;
    if (shown > 0 && next.replaceAll(WORD_JOINER, '').length > LONGEST) break;
    text = next;
    shown += 1;
  }
  return { text, more: items.length - shown };
}
