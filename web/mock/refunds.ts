import type { Refund, RefundablePayment } from '../src/shared/api/money.ts';
import { type DataOf, fail, type Handlers, ok } from './api.ts';
import { credit } from './money.ts';
import { ago } from './story.ts';
import type { World } from './world.ts';

/**
 * Refundable card payments, newest first, and refunds. Only a user whose address begins with refund
 * has some.
 */
interface Paid {
  email: string;
  refundable: RefundablePayment[];
  refunds: Refund[];
}

const paidByCard = (payment: string, days: number, paid: number, amount = paid): RefundablePayment => ({
  payment,
  paid_at: ago(days * 1_440),
  paid,
  amount,
  until: ago((days - 180) * 1_440),
});

const failedRefund = (): Refund => ({ id: 'r0', amount: 5, state: 'failed', at: ago(3 * 1_440), settled_at: ago(2 * 1_440) });

const paidByWorld = new WeakMap<World, Paid>();

/** Returns the card payments of a world. They are reset when another user signs in. */
export function paidOf(world: World): Paid {
  const known = paidByWorld.get(world);
  if (known?.email === world.email) return known;
  const some = world.email.startsWith('refund');
  const fresh: Paid = {
    email: world.email,
    refundable: some ? [paidByCard('p2', 4, 20), paidByCard('p1', 9, 50, 16)] : [],
    refunds: some ? [failedRefund()] : [],
  };
  paidByWorld.set(world, fresh);
  return fresh;
}

const sum = (payments: { amount: number }[]) => payments.reduce((all, { amount }) => all + amount, 0);

/** Returns the refundable part of the balance, with its payments. */
export function refundsOf(world: World): DataOf<'GET /payment/refunds'> {
  const known = paidOf(world);
  return {
    refundable: Math.min(sum(known.refundable), world.credit),
    payments: known.refundable,
    too_late: 0,
    days: 180,
    again_at: known.refunds.filter(({ state }) => state === 'pending').length > 1 ? ago(-1_440) : null,
    under_way: sum(known.refunds.filter(({ state }) => state === 'pending')),
    currency: 'CAD',
    refunds: known.refunds,
  };
}

function refund(world: World, wanted: number) {
  const known = paidOf(world);
  const { refundable } = refundsOf(world);
  if (wanted > refundable) return fail(409, 'BALANCE_CHANGED', 'changed', { refundable });
  let rest = wanted;
  known.refundable = known.refundable.flatMap((payment) => {
    const part = Math.min(rest, payment.amount);
    rest -= part;
    return payment.amount > part ? [{ ...payment, amount: payment.amount - part }] : [];
  });
  const id = `r${known.refunds.length + 1}`;
  known.refunds.unshift({ id, amount: wanted, state: 'pending', at: ago(0), settled_at: null });
  credit(world, -wanted, 'refund', {});
  return ok(refundsOf(world));
}

/** Handlers of refunds. */
export const refunds: Handlers = {
  'GET /payment/refunds': ({ world }) => ok(refundsOf(world)),
  'POST /payment/refunds': ({ world, body }) => refund(world, body.amount),
};
