import { answer, client } from '../../shared/api/client.ts';
import type { CardPayment } from '../../shared/api/money.ts';

/** Our server is asked again so often, so many times, while a payment has neither succeeded nor failed. */
const STATUS_EVERY_MS = 1_500;
const STATUS_TRIES = 8;
/** Somebody with a phone in the hand takes longer: first soon, then with patience, within what our server allows in an hour. */
const SCAN_WAITS_MS = [...Array<number>(20).fill(3_000), ...Array<number>(24).fill(10_000)];

const UNDER_WAY = ['processing', 'requires_action', 'requires_confirmation', 'requires_capture'];
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const waits = (payment: CardPayment, words: readonly string[]) =>
  words.includes(payment.status) || (payment.status === 'succeeded' && !payment.credited);

/** What our server knows of a payment now. */
export const paymentStatus = (id: string): Promise<CardPayment> =>
  answer(client.GET('/payment/stripe/status/{id}', { params: { path: { id } } }));

/** What our server says in the end: only it decides whether a payment succeeded. */
export async function settled(id: string, alive: () => boolean): Promise<CardPayment> {
  for (let tries = 1; ; tries += 1) {
    const payment = await paymentStatus(id);
    if (!waits(payment, UNDER_WAY) || tries >= STATUS_TRIES || !alive()) return payment;
    await wait(STATUS_EVERY_MS);
  }
}

/** As `settled`, while somebody scans a code and pays with a phone. A question that got no answer is asked again. */
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
