import type { Movement, MovementKind, ReceiptPart } from '../../shared/api/money.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';

const kinds: Record<MovementKind, { name: TextKey; note: TextKey }> = {
  topup: { name: 'ledger.topup', note: 'ledger.topupNote' },
  card: { name: 'ledger.card', note: 'ledger.cardNote' },
  bonus: { name: 'ledger.bonus', note: 'ledger.bonusNote' },
  hold: { name: 'ledger.hold', note: 'ledger.holdNote' },
  capture: { name: 'ledger.capture', note: 'ledger.captureNote' },
  release: { name: 'ledger.release', note: 'ledger.releaseNote' },
  refund: { name: 'ledger.refund', note: 'ledger.refundNote' },
  dispute: { name: 'ledger.dispute', note: 'ledger.disputeNote' },
  debt: { name: 'ledger.debt', note: 'ledger.debtNote' },
  void: { name: 'ledger.void', note: 'ledger.voidNote' },
  forfeit: { name: 'ledger.forfeit', note: 'ledger.forfeitNote' },
  reinstate: { name: 'ledger.reinstate', note: 'ledger.reinstateNote' },
  adjust: { name: 'ledger.adjust', note: 'ledger.adjustNote' },
};

const unknown = { name: 'ledger.other', note: 'ledger.otherNote' } as const satisfies { name: TextKey; note: TextKey };

/**
 * Returns the name and the explanation of a kind of movement. For kinds that this version does not
 * know, it returns general texts.
 */
export const kindTexts = (kind: string): { name: TextKey; note: TextKey } => kinds[kind as MovementKind] ?? unknown;

const wallets: Partial<Record<string, TextKey>> = { alipay: 'ledger.alipay', wechat_pay: 'ledger.wechatPay' };

/**
 * Returns the name of a movement. A payment by wallet has the name of the wallet, everything else
 * the name of its kind.
 */
export const nameTexts = ({ kind, paid_with }: Pick<Movement, 'kind' | 'paid_with'>): TextKey =>
  wallets[paid_with ?? ''] ?? kindTexts(kind).name;

/**
 * Kind of the document that is printed for a movement. Only a charge has a receipt, so that every
 * booking has exactly one.
 */
export type Paper = 'receipt' | 'payment' | 'hold' | 'note';

/** Returns the kind of document for a kind of movement. */
export function paperOf(kind: string): Paper {
  if (kind === 'capture') return 'receipt';
  if (kind === 'hold') return 'hold';
  return kind === 'card' || kind === 'topup' ? 'payment' : 'note';
}

/** Formats a signed amount: `+100.00`, `−38.00`, `0.00`. */
export function signed(value: number, amount: (value: number) => string): string {
  return value === 0 ? amount(0) : `${value > 0 ? '+' : '−'}${amount(Math.abs(value))}`;
}

const parts: Partial<Record<ReceiptPart, TextKey>> = {
  base: 'receipt.base',
  entitled: 'receipt.entitled',
  personal: 'cost.discountPersonal',
  group: 'cost.discountGroup',
  promo: 'cost.discountPromo',
  referral: 'cost.discountReferral',
};

/** Returns the label of a receipt line. */
export const partTexts = (part: ReceiptPart): TextKey => parts[part] ?? kindTexts(part).name;

/** Returns the text for the reason of a movement, if the reason is known and adds information. */
export const reasonOfNote = (note: string | null): TextKey | null => (note === 'referral' ? 'ledger.forReferral' : null);
