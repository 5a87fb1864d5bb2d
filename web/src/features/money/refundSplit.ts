import type { RefundablePayment } from '../../shared/api/money.ts';

/** What of an amount goes back to which payment: to the newest first, as the server does it. */
export function refundSplit(value: number, payments: readonly RefundablePayment[]): RefundablePayment[] {
  let rest = Math.round(value * 100);
  return payments.flatMap((payment) => {
    const part = Math.min(rest, Math.round(payment.amount * 100));
    rest -= part;
    return part > 0 ? [{ ...payment, amount: part / 100 }] : [];
  });
}
