import type { Question } from '../src/shared/api/types.ts';
import { type Answer, type Body, fail, type Handlers, ok, tooOften } from './api.ts';
import { userOf } from './security.ts';
import { seed } from './world.ts';

/** JWT with readable but empty claims, for the return page of a Google sign-in. */
const JWT = `e30.${btoa(JSON.stringify({ typ: 'bootstrap', sub: 'u1' }))}.x`;

/** Returns an error for addresses that begin with busy or down. */
export function mistyped(body: Body): Answer | null {
  const email = String(body.email ?? body.username ?? '');
  if (email.startsWith('busy')) return tooOften(75);
  return email.startsWith('down') ? fail(503, 'UNAVAILABLE', 'Temporarily unavailable, please try again') : null;
}

/** Returns a question in the state that its token names. */
const question = (token: string): Question => ({
  state:
    (['booked', 'gone', 'not_booked', 'unknown', 'late', 'edited', 'moved', 'paused', 'trying'] as const).find(
      (one) => one === token,
    ) ?? 'open',
  schedule_id: 't1',
  initials: ['Z. M.'],
  facility: 'Toronto',
  facility_zh: '多伦多',
  date: '2027-02-09',
  old: { date: '2027-08-17', time: '08:15', facility: 'Toronto', facility_zh: '多伦多', fingerprints: null },
  new:
    token === 'booked'
      ? { date: '2027-02-09', time: '09:15', facility: 'Toronto', facility_zh: '多伦多', fingerprints: null }
      : null,
  changes_left: 2,
  price: 38,
  valid_until: new Date(Date.now() + 120_000).toISOString(),
});

/**
 * Handlers of the account requests. The values in a request choose the response: passwords that
 * begin with wrong, addresses with unverified, totp (code 123456), busy or down. Tokens choose the
 * state of a reset link, a verification link or a question.
 */
export const accounts: Handlers = {
  // Beginning of the SHA-256 of password1, in the server's format.
  'GET /auth/common-passwords/{beginning}': ({ id }) => ok({ hashes: id === '0b1' ? ['0b14d501a5'] : [] }),
  'GET /auth/methods': ({ world }) => ok(world.methods),
  'POST /auth/google/login': ({ body }) => {
    const way = body.purpose === 'step_up' ? 'step_up=true' : `token=${JWT}&refresh_token=bootstrap&is_new_user=false`;
    return ok({ auth_url: `http://127.0.0.1:5173/auth/google/callback?success=true&${way}`, state: 's' });
  },
  'POST /auth/login': ({ world, body }) => {
    const email = body.username;
    if (body.password.includes('wrong')) return fail(401, 'INVALID_CREDENTIALS', 'Invalid email or password');
    if (email.startsWith('unverified') || world.unconfirmed.has(email))
      return fail(403, 'EMAIL_NOT_VERIFIED', 'Please verify your email before logging in');
    if (email.startsWith('totp') && !body.totp_code) return fail(401, 'TOTP_REQUIRED', 'Enter the code of your app');
    if (email.startsWith('totp') && body.totp_code !== '123456') return fail(401, 'TOTP_INVALID', 'The code is not right');
    seed(world, email);
    return ok({ access_token: 'a1', refresh_token: 'r1', user: userOf(world) });
  },
  'POST /auth/refresh': () => ok({ access_token: `a${Date.now()}`, refresh_token: `r${Date.now()}` }),
  'POST /auth/logout': () => ok({}),
  'POST /auth/register': ({ world, body }) => {
    if (world.methods.registration !== 'open') return fail(403, 'REGISTRATION_CLOSED', 'Registration is closed');
    const to = body.email;
    world.unconfirmed.add(to);
    world.mails.push({
      id: String(world.mails.length),
      to,
      subject: 'Confirm',
      text: `http://mock/auth/verify-email?token=${encodeURIComponent(to)}`,
      html: '',
    });
    return ok({});
  },
  'POST /auth/resend-verification': () => ok({}),
  'GET /auth/verify-email': ({ world, query }) => {
    const token = query.get('token') ?? '';
    if (token === 'expired') return fail(410, 'TOKEN_EXPIRED', 'This link has expired');
    if (token === 'bad') return fail(400, 'INVALID_TOKEN', 'Invalid or expired token');
    if (token === 'elsewhere') return ok({ outcome: 'sign_in_first' as const, email: 'lin@example.com', refresh_token: null });
    if (token === 'moved') return ok({ outcome: 'email_changed' as const, email: 'lin@example.com', refresh_token: null });
    // If this address was registered in this browser, the link also signs the user in, once.
    const waits = world.unconfirmed.delete(token);
    if (waits) seed(world, token);
    return ok({ outcome: 'verified' as const, email: token, refresh_token: waits ? 'bootstrap' : null });
  },
  'GET /questions': ({ query }) =>
    query.get('token') === 'bad'
      ? fail(400, 'INVALID_TOKEN', 'Invalid or expired token')
      : ok(question(query.get('token') ?? '')),
  'POST /questions/answer': () => ok(question('booked')),
  'POST /auth/forgot-password': () => ok({}),
  'GET /auth/verify-reset-token': ({ query }) => {
    const token = query.get('token') ?? '';
    if (token === 'down') return fail(500, 'INTERNAL', 'An unexpected error occurred. Please try again.');
    const valid = token.startsWith('good');
    return ok({ valid, reason: valid ? null : token === 'expired' ? ('expired' as const) : ('invalid' as const) });
  },
  'POST /auth/reset-password': ({ body }) =>
    body.token === 'good-once' ? fail(400, 'INVALID_TOKEN', 'Invalid or expired token') : ok({}),
  'GET /user/profile': ({ world }) => ok({ user: userOf(world) }),
  'PUT /user/language': ({ world, body }) => {
    world.language = body.language as 'en' | 'zh';
    return ok({ message: 'ok', language: world.language });
  },
  'PUT /user/auto-stop-scheduler': ({ world, body }) => {
    world.autoStop = Boolean(body.auto_stop_scheduler);
    return ok({ message: 'ok', autoStopScheduler: world.autoStop });
  },
};
