import { fail, type Handlers, ok } from './api.ts';
import { credit, moneyOf } from './money.ts';

const LEAST = 10;
const MOST = 500;
/** Placeholder image of a QR code. */
const CODE =
  'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22%20viewBox=%220%200%209%209%22%3E%3Cpath%20d=%22M0%200h3v3H0zM6%200h3v3H6zM0%206h3v3H0z%22/%3E%3C/svg%3E';

/**
 * Handlers of card payments. The description of a payment chooses its outcome: "lost" has none,
 * "slow" stays in processing.
 */
export const cards: Handlers = {
  'GET /payment/stripe/config': ({ world }) => {
    const { cardsEnabled, cardKey } = moneyOf(world);
    return ok({
      enabled: cardsEnabled,
      methods: cardsEnabled
        ? (['card', 'alipay', 'wechat_pay'] as const).map((method) => ({
            method,
            min_amount: LEAST,
            max_amount: MOST,
            currency: 'CAD',
          }))
        : [],
      publishable_key: cardsEnabled ? cardKey : null,
      min_amount: LEAST,
      max_amount: MOST,
      default_currency: 'CAD',
      js_url: cardsEnabled ? '/pay.js' : null,
      page_url: null,
    });
  },
  'POST /payment/stripe/create-intent': ({ world, body }) => {
    const { intents } = moneyOf(world);
    const { amount } = body;
    if (!(amount >= LEAST && amount <= MOST)) return fail(422, 'VALIDATION_FAILED', 'amount', { fields: { amount: 'range' } });
    const id = `pi_${intents.size + 1}`;
    const status =
      body.description === 'lost' ? 'requires_payment_method' : body.description === 'slow' ? 'processing' : 'succeeded';
    intents.set(id, { amount, status, credited: false });
    const method = body.method ?? 'card';
    return ok({
      payment_intent_id: id,
      client_secret: method === 'card' ? `${id}_secret_mock` : null,
      redirect_url: method === 'alipay' ? `/balance/payment?payment_intent=${id}` : null,
      qr_image: method === 'wechat_pay' ? CODE : null,
    });
  },
  'GET /payment/stripe/status/{id}': ({ world, id }) => {
    const intent = moneyOf(world).intents.get(id);
    if (!intent) return fail(404, 'NOT_FOUND', 'no such payment');
    if (intent.status === 'succeeded' && !intent.credited) {
      intent.credited = true;
      credit(world, intent.amount, 'card', { note: null });
    }
    return ok({ status: intent.status, amount: intent.amount, currency: 'CAD', credited: intent.credited });
  },
};

/**
 * Card page for development and pictures. It accepts no card, and sends the same messages as the
 * real one.
 */
export const payPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>pay</title>
<body style="margin:0;font:16px system-ui"><main><h1 style="position:absolute;clip-path:inset(50%);margin:0">Card</h1><div id="card" style="border:1px solid #857F73;border-radius:12px;height:46px;display:flex;
align-items:center;padding:0 14px;color:#5F6570;background:#fff">4242 4242 4242 4242 · 12/34 · 123</div></main>
<script>
const tell = (type, more) => parent.postMessage({ source: 'sooner-pay', type, ...more }, location.origin);
addEventListener('message', (event) => {
  if (event.data?.source !== 'sooner' || event.data.type !== 'pay') return;
  tell('processing');
  setTimeout(() => tell('succeeded', { payment_intent_id: event.data.client_secret.split('_secret')[0] }), 600);
});
setTimeout(() => { tell('ready'); tell('resize', { height: 48 }); }, 300);
</script>`;
