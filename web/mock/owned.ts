import { type Answer, fail, type Handlers, ok } from './api.ts';
import { securityOf } from './security.ts';
import { ago } from './story.ts';
import { seed, type World } from './world.ts';

const MONEY = /^\/(users\/(credit|ledger|referral)|user\/referral|pricing|topup|payment)(\/|$)/;
/** Period for which a new sign-in by link counts as a proof. */
const PROOF_MS = 300_000;

/** Returns the response of a server that charges nothing, to every request about money. */
export const notBilled = (world: World, path: string): Answer | null =>
  !world.methods.billing && MONEY.test(path) ? fail(404, 'BILLING_OFF', 'Nothing is charged on this server') : null;

const over = (token: string) => {
  if (token.startsWith('expired')) return fail(410, 'TOKEN_EXPIRED', 'This link has expired');
  return token.startsWith('good') ? null : fail(410, 'INVALID_TOKEN', 'This link has been used');
};

/**
 * Sign-in flows of a single-user server. Tokens begin with good, weak (for `POST`: a good one whose
 * password is refused) or expired. All others are used.
 */
export const owned: Handlers = {
  'GET /auth/invitation': ({ query }) =>
    over((query.get('token') ?? '').replace('weak', 'good')) ?? ok({ email: 'mother@example.com', expires_at: ago(-3 * 1_440) }),
  'POST /auth/invitation': ({ world, body }) => {
    if (body.token.startsWith('weak')) return fail(422, 'VALIDATION_FAILED', 'invalid', { fields: { password: 'common' } });
    const refused = over(body.token);
    if (refused) return refused;
    seed(world, 'mother@example.com');
    return ok({ refresh_token: 'bootstrap' });
  },
  'POST /auth/link': ({ world, body }) => {
    const refused = over(body.token);
    if (refused) return refused;
    securityOf(world).provenUntil = Date.now() + PROOF_MS;
    return ok({ refresh_token: 'bootstrap' });
  },
};
