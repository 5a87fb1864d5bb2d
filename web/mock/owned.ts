import { type Answer, fail, type Handlers, ok } from './api.ts';
import { securityOf } from './security.ts';
import { ago } from './story.ts';
import { seed, type World } from './world.ts';

const MONEY = /^\/(users\/(credit|ledger|referral)|user\/referral|pricing|topup|payment)(\/|$)/;
/** Time for which a new sign-in counts as a proof of identity. */
const PROOF_MS = 300_000;

/** Returns the error for a request about money, if the server charges nothing. */
export const notBilled = (world: World, path: string): Answer | null =>
  !world.methods.billing && MONEY.test(path) ? fail(404, 'BILLING_OFF', 'Nothing is charged on this server') : null;

const over = (token: string) => {
  if (token.startsWith('expired')) return fail(410, 'TOKEN_EXPIRED', 'This link has expired');
  return token.startsWith('good') ? null : fail(410, 'INVALID_TOKEN', 'This link has been used');
};

const LINK_CODE = 'k7wd-3hqn';

/**
 * Handlers of invitations and sign-in links. The beginning of a token chooses the response: good,
 * expired, or weak (valid, but its password is refused). Other tokens are used up.
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
  'POST /auth/sign-in-link': () => ok({}),
  // A token that begins with `other` belongs to another browser.
  'GET /auth/sign-in-link': ({ query }) => {
    const token = query.get('token') ?? '';
    const other = token.startsWith('other');
    return over(token.replace('other', 'good')) ?? ok({ own_browser: !other, code: other ? LINK_CODE : null });
  },
  'POST /auth/sign-in-link/use': ({ world, body }) => {
    if (body.code !== undefined && body.code !== LINK_CODE)
      return fail(422, 'VALIDATION_FAILED', 'invalid', { fields: { code: 'wrong' } });
    seed(world, 'mother@example.com');
    return ok({ refresh_token: 'bootstrap', remembered: true, first_proof: false });
  },
  'POST /auth/link': ({ world, body }) => {
    const refused = over(body.token);
    if (refused) return refused;
    securityOf(world).provenUntil = Date.now() + PROOF_MS;
    return ok({ refresh_token: 'bootstrap' });
  },
};
