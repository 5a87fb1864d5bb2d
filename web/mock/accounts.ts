import { type Answer, type Body, fail, ok, seed, type World } from './handler.ts';
import { signInWays } from './security.ts';
import { ago } from './story.ts';

/** A readable JWT with no meaning: what the return page of a Google sign-in carries. */
const JWT = `e30.${btoa(JSON.stringify({ typ: 'bootstrap', sub: 'u1' }))}.x`;

/** Scenes by what is typed: wrong… passwords, unverified@, totp@ (code 123456), busy@, down@; reset tokens good, expired, anything else. */
function passwords(path: string, body: Body, query: URLSearchParams): Answer | null {
  const email = String(body.email ?? body.username ?? '');
  if (email.startsWith('busy'))
    return { ...fail(429, 'TOO_MANY_ATTEMPTS', 'Too many attempts'), headers: { 'Retry-After': '75' } };
  if (email.startsWith('down')) return fail(503, 'UNAVAILABLE', 'Temporarily unavailable, please try again');
  if (path === '/auth/forgot-password') return ok({});
  const token = query.get('token') ?? String(body.token ?? '');
  if (path === '/auth/verify-reset-token') {
    if (token === 'down') return fail(500, 'INTERNAL', 'An unexpected error occurred. Please try again.');
    return ok(token.startsWith('good') ? { valid: true } : { valid: false, reason: token === 'expired' ? 'expired' : 'invalid' });
  }
  if (path === '/auth/reset-password')
    return token === 'good-once' ? fail(400, 'INVALID_TOKEN', 'Invalid or expired token') : ok({});
  return null;
}

function google(path: string, body: Body): Answer | null {
  if (path === '/auth/methods') return ok({ google: true, mail: true });
  if (path !== '/auth/google/login') return null;
  const way = body.purpose === 'step_up' ? 'step_up=true' : `token=${JWT}&refresh_token=bootstrap&is_new_user=false`;
  return ok({ auth_url: `http://127.0.0.1:5173/auth/google/callback?success=true&${way}`, state: 's' });
}

/** The account routes of the fake backend. */
export function accounts(world: World, method: string, path: string, body: Body, query: URLSearchParams): Answer | null {
  const user = () => ({
    id: 'u1',
    username: world.email,
    email: world.email,
    credit: world.credit,
    language: world.language,
    emailVerified: true,
    createdAt: ago(99999),
    updatedAt: ago(99),
    profile: { autoStopScheduler: world.autoStop },
    ...signInWays(world),
  });
  const early = passwords(path, body, query) ?? google(path, body);
  if (early) return early;
  if (path === '/auth/login') {
    const email = String(body.username);
    if (String(body.password).includes('wrong')) return fail(401, 'INVALID_CREDENTIALS', 'Invalid email or password');
    if (email.startsWith('unverified') || world.unconfirmed.has(email))
      return fail(403, 'EMAIL_NOT_VERIFIED', 'Please verify your email before logging in');
    if (email.startsWith('totp') && !body.totp_code) return fail(401, 'TOTP_REQUIRED', 'Enter the code of your app');
    if (email.startsWith('totp') && body.totp_code !== '123456') return fail(401, 'TOTP_INVALID', 'The code is not right');
    seed(world, email);
    return ok({ access_token: 'a1', refresh_token: 'r1', user: user() });
  }
  if (path === '/auth/refresh') return ok({ access_token: `a${Date.now()}`, refresh_token: `r${Date.now()}` });
  if (path === '/auth/register') {
    const to = String(body.email);
    world.unconfirmed.add(to);
    world.mails.push({
      id: String(world.mails.length),
      to,
      subject: 'Confirm',
      text: `http://mock/auth/verify-email?token=${encodeURIComponent(to)}`,
      html: '',
    });
    return ok({});
  }
  if (path === '/auth/verify-email') world.unconfirmed.delete(query.get('token') ?? '');
  if (path === '/auth/verify-email' && query.get('token') === 'expired')
    return fail(410, 'TOKEN_EXPIRED', 'This link has expired');
  if (path === '/auth/verify-email')
    return query.get('token') === 'bad' ? fail(400, 'INVALID_TOKEN', 'Invalid or expired token') : ok({});
  if (path.startsWith('/auth/')) return ok({});
  if (path === '/user/profile') return ok({ user: user() });
  if (path === '/user/language' && method === 'PUT') {
    world.language = body.language as 'en' | 'zh';
    return ok({ message: 'ok', language: world.language });
  }
  if (path === '/user/auto-stop-scheduler' && method === 'PUT') {
    world.autoStop = Boolean(body.auto_stop_scheduler);
    return ok({ message: 'ok', autoStopScheduler: world.autoStop });
  }
  return null;
}
