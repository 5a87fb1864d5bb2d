import type { RefundablePayment } from '../../shared/api/money.ts';

/** Splits an amount among the payments to refund, newest first, as the server does. */
export function refundSplit(value: number, payments: readonly RefundablePayment[]): RefundablePayment[] {
  let rest = Math.round(value * 100);
  return payments.flatMap((payment) => {
    const part = Math.min(rest, Math.round(payment.amount * 100));
    rest -= part;
    return part > 0 ? [{ ...payment, amount: part / 100 }] : [];
  });
}
