import { answer, client } from '../../shared/api/client.ts';
import type { CardPayment } from '../../shared/api/money.ts';

/** Interval and maximum number of status requests while a payment is pending. */
const STATUS_EVERY_MS = 1_500;
const STATUS_TRIES = 8;
/**
 * Delays between status requests while the user pays with a phone. They become longer to stay
 * within the server's hourly limit.
 */
const SCAN_WAITS_MS = [...Array<number>(20).fill(3_000), ...Array<number>(24).fill(10_000)];

const UNDER_WAY = ['processing', 'requires_action', 'requires_confirmation', 'requires_capture'];
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const waits = (payment: CardPayment, texts: readonly string[]) =>
  texts.includes(payment.status) || (payment.status === 'succeeded' && !payment.credited);

/** Requests the state of a payment from our server. */
export const paymentStatus = (id: string): Promise<CardPayment> =>
  answer(client.GET('/payment/stripe/status/{id}', { params: { path: { id } } }));

/** Waits until a payment is no longer pending. Only our server decides whether it succeeded. */
export async function settled(id: string, alive: () => boolean): Promise<CardPayment> {
  for (let tries = 1; ; tries += 1) {
    const payment = await paymentStatus(id);
    if (!waits(payment, UNDER_WAY) || tries >= STATUS_TRIES || !alive()) return payment;
    await wait(STATUS_EVERY_MS);
  }
}

/**
 * Waits until a payment by phone is no longer pending, or returns the last known state. Requests
 * without a response are repeated.
 */
export async function scanned(id: string, alive: () => boolean): Promise<CardPayment | null> {
  let last: CardPayment | null = null;
  for (const pause of SCAN_WAITS_MS) {
    await wait(pause);
    if (!alive()) return last;
    last = (await paymentStatus(id).catch(() => null)) ?? last;
    if (last && !waits(last, UNDER_WAY)) return last;
  }
  return last;
}
