import type { DeletionProspect, PortalAccount, SecondFactor, SignIn } from '../src/shared/api/types.ts';
import { type Answer, type Body, fail, ok, type World } from './handler.ts';
import { ago, day } from './story.ts';

/** What the settings page knows of one person. Scenes by e-mail: google… has no password, totp… a second factor, blocked… a booking under way. */
interface Security {
  email: string;
  hasPassword: boolean;
  provenUntil: number;
  factor: SecondFactor;
  signIns: SignIn[];
  portalAccounts: PortalAccount[];
}

const CODE = '123456';
const CODES =
  'x7k2m-9pqrt a3bcd-4efgh m2n5p-6qrst u7vwx-8yz23 b4cde-5fghj k6mnp-7qrst v8wxy-9z234 c5def-6ghjk n7pqr-8stuv w9xyz-2a345';
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

const signIn = (over: Partial<SignIn>): SignIn => ({
  id: 's1',
  current: false,
  method: 'password',
  remembered: true,
  client: { browser: 'Chrome', os: 'Windows', kind: 'computer' },
  network: '203.0.113.x',
  created_at: ago(3 * 1_440),
  last_used_at: ago(1),
  expires_at: ago(-27 * 1_440),
  ...over,
});

const portalAccount = (over: Partial<PortalAccount>): PortalAccount => ({
  id: 'c1',
  username: 'linzhixia@example.com',
  country_code: 'en-ca',
  visa_type: 'niv',
  health: 'valid',
  health_since: ago(22 * 1_440),
  next_try_at: null,
  tested_at: ago(50),
  tasks: [{ id: '0193-on', title: 'Lin Zhixia, Chen Yuhang', status: 'active' }],
  removed_after: null,
  ...over,
});

function begin(email: string): Security {
  const factor = email.startsWith('totp');
  return {
    email,
    hasPassword: !email.startsWith('google'),
    provenUntil: 0,
    factor: { enabled: factor, confirmed_at: factor ? ago(40 * 1_440) : null, recovery_codes_left: factor ? 2 : 0 },
    signIns: [
      signIn({ current: true, method: email.startsWith('google') ? 'google' : 'password' }),
      signIn({
        id: 's2',
        client: { browser: 'Safari', os: 'iOS', kind: 'phone' },
        network: '198.51.100.x',
        last_used_at: ago(190),
        created_at: ago(12 * 1_440),
      }),
      signIn({
        id: 's3',
        client: { browser: '', os: '', kind: 'other' },
        network: '2001:db8:4f2::x',
        method: 'google',
        last_used_at: ago(9 * 1_440),
        created_at: ago(9 * 1_440),
      }),
    ],
    portalAccounts: email.startsWith('empty')
      ? []
      : [
          portalAccount({}),
          portalAccount({
            id: 'c2',
            username: 'zhao.mingyuan@example.com',
            visa_type: 'iv',
            health: 'rejected',
            health_since: ago(300),
            tasks: [{ id: '0193-err', title: 'Zhao Mingyuan', status: 'error' }],
          }),
          portalAccount({
            id: 'c3',
            username: 'wang@example.com',
            tasks: [],
            tested_at: ago(16 * 1_440),
            removed_after: day(14),
          }),
        ],
  };
}

const known = new WeakMap<World, Security>();

function of(world: World): Security {
  const kept = known.get(world);
  if (kept?.email === world.email) return kept;
  const fresh = begin(world.email);
  known.set(world, fresh);
  return fresh;
}

/** What a profile says of the ways to sign in. */
export function signInWays(world: World) {
  const { hasPassword, factor } = of(world);
  return { has_password: hasPassword, google_linked: !hasPassword, totp_enabled: factor.enabled };
}

const invalid = (field: string, code: string) => fail(422, 'VALIDATION_FAILED', 'invalid', { fields: { [field]: code } });

function stepUp(me: Security, body: Body): Answer {
  if (String(body.password).includes('wrong')) return invalid('password', 'wrong');
  if (me.factor.enabled && !body.totp_code) return invalid('totp_code', 'required');
  if (me.factor.enabled && body.totp_code !== CODE) return invalid('totp_code', 'wrong');
  me.provenUntil = Date.now() + 300_000;
  return ok({ until: new Date(me.provenUntil).toISOString() });
}

function qr(): string {
  const cells = Array.from({ length: 29 * 29 }, (_, cell) => {
    const [x, y] = [cell % 29, Math.floor(cell / 29)];
    return (x * 7 + y * 11 + x * y * 3) % 5 < 2 ? `<rect x="${x}" y="${y}" width="1" height="1"/>` : '';
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 33 33"><rect x="-2" y="-2" width="33" height="33" fill="#fff"/>${cells.join('')}</svg>`;
}

function secondFactor(me: Security, method: string, path: string, body: Body): Answer {
  if (method === 'DELETE') {
    me.factor = { enabled: false, confirmed_at: null, recovery_codes_left: 0 };
    return ok({});
  }
  if (path === '/user/totp')
    return ok({ secret: SECRET, otpauth_url: `otpauth://totp/Sooner:${me.email}?secret=${SECRET}&issuer=Sooner`, qr_svg: qr() });
  if (path === '/user/totp/confirm' && body.code !== CODE) return invalid('code', 'wrong');
  me.factor = { enabled: true, confirmed_at: me.factor.confirmed_at ?? ago(0), recovery_codes_left: 10 };
  return ok({ recovery_codes: CODES.split(' ') });
}

function prospect(world: World): DeletionProspect {
  const blocked = world.email.startsWith('blocked');
  return {
    possible: !blocked,
    blocked_by: blocked ? 'booking' : null,
    balance: world.credit + world.onHold,
    on_hold: world.onHold,
    currency: 'CAD',
    tasks: world.tasks.size,
  };
}

function needsProof(method: string, path: string, body: Body, me: Security): boolean {
  if (path === '/auth/profile') return body.email !== undefined;
  if (path === '/auth/change-password') return !me.hasPassword;
  if (method === 'GET') return false;
  return path.startsWith('/user/totp') || path.startsWith('/user/credentials/') || /^\/user\/(export|deletion)$/.test(path);
}

/** The routes of the settings page of the fake backend. */
export function security(world: World, method: string, path: string, body: Body): Answer | null {
  const me = of(world);
  if (path === '/auth/step-up') return stepUp(me, body);
  if (needsProof(method, path, body, me) && Date.now() > me.provenUntil)
    return fail(403, 'STEP_UP_REQUIRED', 'Please confirm it is you', {
      methods: [me.hasPassword ? 'password' : 'google'],
      totp: me.factor.enabled,
    });
  if (path === '/auth/change-password') {
    if (String(body.current_password).includes('wrong')) return invalid('current_password', 'wrong');
    me.hasPassword = true;
    me.signIns = me.signIns.filter((one) => one.current);
    return ok({});
  }
  if (path === '/auth/profile') return ok({ user: {}, email_change_sent: true });
  if (path === '/user/sessions') return ok({ sessions: me.signIns });
  if (path.startsWith('/user/sessions/')) {
    me.signIns = me.signIns.filter((one) => one.current || !path.endsWith(one.id));
    return ok({});
  }
  if (path === '/auth/logout-all') {
    const before = me.signIns.length;
    me.signIns = me.signIns.filter((one) => one.current);
    return ok({ ended: before - me.signIns.length });
  }
  if (path === '/user/totp' && method === 'GET') return ok(me.factor);
  if (path.startsWith('/user/totp')) return secondFactor(me, method, path, body);
  if (path === '/user/credentials') return ok({ credentials: me.portalAccounts });
  if (path.startsWith('/user/credentials/')) {
    if (world.email.startsWith('blocked')) return fail(409, 'ACCOUNT_BUSY', 'A booking is under way');
    me.portalAccounts = me.portalAccounts.filter((one) => !path.endsWith(one.id));
    return ok({});
  }
  if (path === '/user/export')
    return {
      status: 200,
      body: new Uint8Array(180_000),
      headers: { 'Content-Type': 'application/zip', 'Content-Disposition': 'attachment; filename="sooner-export.zip"' },
    };
  if (path === '/user/deletion' && method === 'GET') return ok(prospect(world));
  if (path === '/user/deletion') {
    const { balance, on_hold } = prospect(world);
    return body.forfeit_balance === balance ? ok({}) : fail(409, 'BALANCE_CHANGED', 'changed', { balance, on_hold });
  }
  return null;
}
