import { type Paper, paperOf } from '../../parts/balance/movements.ts';
import type { Words } from '../../shared/i18n/words.ts';

interface PaperWords {
  title: Words;
  /** What it says of itself where it is no receipt. */
  text?: Words;
  /** What the link to it says, and what it is called alone. */
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

/** What a movement's paper is called and says. */
export const paperWords = (kind: string): PaperWords => papers[paperOf(kind)];
