import { type Paper, paperOf } from '../../parts/balance/movements.ts';
import type { Words } from '../../shared/i18n/words.ts';

interface PaperWords {
  title: Words;
  /** Text for a paper that is no receipt. */
  text?: Words;
  /** Text of the link to it, and its title. */
  link: Words;
  of: Words;
}

const papers: Record<Paper, PaperWords> = {
  receipt: { title: 'receipt.title', link: 'movements.receipt', of: 'movements.receiptOf' },
  payment: {
    title: 'receipt.payment',
    text: 'receipt.paymentText',
    link: 'movements.payment',
    of: 'movements.paymentOf',
  },
  hold: { title: 'receipt.slip', text: 'receipt.slipText', link: 'movements.slip', of: 'movements.slipOf' },
  note: { title: 'receipt.confirmation', link: 'movements.slip', of: 'movements.slipOf' },
};

/** Returns the title and texts of a movement's paper. */
export const paperWords = (kind: string): PaperWords => papers[paperOf(kind)];
