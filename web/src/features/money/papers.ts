import { type Paper, paperOf } from '../../parts/balance/movements.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';

interface PaperTexts {
  title: TextKey;
  /** Text in place of the details, if the document is not a receipt. */
  text?: TextKey;
  /** Text of the link to the document. */
  link: TextKey;
  of: TextKey;
}

const papers: Record<Paper, PaperTexts> = {
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

/** Returns the texts of the document that is printed for a kind of movement. */
export const paperTexts = (kind: string): PaperTexts => papers[paperOf(kind)];
