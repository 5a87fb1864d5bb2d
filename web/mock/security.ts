import type {
  DeletionProspect,
  Passkey,
  PortalAccount,
  SecondFactor,
  SecurityEvent,
  SignIn,
  User,
} from '../src/shared/api/types.ts';
import { type Answer, type Body, fail, file, type Handlers, ok } from './api.ts';
import { picture } from './qr.ts';
import { refundsOf } from './refunds.ts';
import { ago, day } from './story.ts';
import type { World } from './world.ts';

/**
 * Security data of a user. The mail address chooses the scene: google… has no password, linked… has
 * both, totp… has a second factor, blocked… has a booking in progress.
 */
interface Security {
  email: string;
  hasPassword: boolean;
  googleLinked: boolean;
  provenUntil: number;
  factor: SecondFactor;
  signIns: SignIn[];
  passkeys: Passkey[];
  portalAccounts: PortalAccount[];
}

const CODE = '123456';
const CODES = [
  'wj2n4z-952x8t-a5r39h-xb7fdn',
  's6hpud-vha2gq-jf863p-f34cew',
  'wreea6-ag3g9f-6fkm9g-u7yxgf',
  '99zg99-7pkanq-f8ejcm-k5wvaw',
  'yzmckn-5kszmf-sszfbj-9a92n6',
  'pau4qn-pv5arb-zfw99g-d3h859',
  'rntn7t-j3rdv2-34n6kb-q9cgmt',
  'wn8emj-8zucky-mkf4cx-e2zksf',
  '2bcwu8-pbh2wn-5jrxqe-b8xb4s',
  'm5ge2v-9ex74q-dfqneb-6qker8',
];
const CHALLENGE = 'AAAAAAAAAAAAAAAAAAAAAA';
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

const event = (id: string, kind: SecurityEvent['kind'], minutes: number, over: Partial<SecurityEvent> = {}): SecurityEvent => ({
  id,
  at: ago(minutes),
  kind,
  succeeded: true,
  client: { browser: 'Chrome', os: 'Windows', kind: 'computer' },
  network: '203.0.113.x',
  ...over,
});

const PHONE: SecurityEvent['client'] = { browser: 'Safari', os: 'iOS', kind: 'phone' };

/** Returns the security events of an account. A new user has only the first sign-in. */
const events = (email: string): SecurityEvent[] =>
  email.startsWith('new')
    ? [event('e1', 'sign_in', 1)]
    : [
        event('e1', 'sign_in', 1),
        event('e2', 'sign_in', 30, { succeeded: false, client: PHONE, network: '198.51.100.x' }),
        event('e3', 'task_widened', 1_440),
        event('e4', 'second_factor_reset', 4_000, { client: null, network: '' }),
        event('e5', 'recovery_code_used', 5_000, { client: PHONE }),
        event('e6', 'guessed', 9_000, { succeeded: false, client: { browser: '', os: '', kind: 'other' }, network: '192.0.2.x' }),
        event('e7', 'password_reset', 9_100),
      ];

const portalAccount = (over: Partial<PortalAccount>): PortalAccount => ({
  id: 'c1',
  username: 'linzhixia@example.com',
  country_code: 'en-ca',
  visa_type: 'niv',
  health: 'valid',
  health_since: ago(22 * 1_440),
  next_try_at: null,
  tested_at: ago(50),
  tasks: [{ id: '0193-on', title: 'Lin Zhixia, Chen Yuhang', status: 'active', stage: 'running' }],
  removed_after: null,
  ...over,
});

function initialSecurity(email: string): Security {
  const factor = email.startsWith('totp');
  return {
    email,
    hasPassword: !email.startsWith('google') && !email.startsWith('owner'),
    googleLinked: email.startsWith('google') || email.startsWith('linked'),
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
    passkeys: /^(empty|google)/.test(email)
      ? []
      : [
          { id: 'pk1', name: 'iPhone', host: 'sooner.example.com', usable: true, created_at: ago(9 * 1_440), used_at: ago(55) },
          { id: 'pk2', name: 'Windows', host: 'old.example.com', usable: false, created_at: ago(90 * 1_440), used_at: null },
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
            tasks: [{ id: '0193-err', title: 'Zhao Mingyuan', status: 'error', stage: 'needs_you' }],
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

const securityByWorld = new WeakMap<World, Security>();

export function securityOf(world: World): Security {
  const kept = securityByWorld.get(world);
  if (kept?.email === world.email) return kept;
  const fresh = initialSecurity(world.email);
  securityByWorld.set(world, fresh);
  return fresh;
}

/** Returns the signed-in user. */
export function userOf(world: World): User {
  const { hasPassword, googleLinked, factor } = securityOf(world);
  return {
    id: 'u1',
    username: world.email,
    email: world.email,
    display_name: world.name,
    credit: world.credit,
    language: world.language,
    emailVerified: true,
    createdAt: ago(99999),
    updatedAt: ago(99),
    profile: { autoStopScheduler: world.autoStop },
    has_password: hasPassword,
    google_linked: googleLinked,
    google_email: googleLinked ? 'at.google@example.com' : null,
    totp_enabled: factor.enabled,
  };
}

const invalid = (field: string, code: string) => fail(422, 'VALIDATION_FAILED', 'invalid', { fields: { [field]: code } });

function prospect(world: World): DeletionProspect {
  const refunding = refundsOf(world).under_way > 0;
  const blocked_by = world.email.startsWith('blocked') ? 'booking' : refunding ? 'refund' : null;
  return {
    possible: blocked_by === null,
    blocked_by,
    balance: world.credit + world.onHold,
    on_hold: world.onHold,
    refundable: refundsOf(world).refundable,
    currency: 'CAD',
    tasks: world.tasks.size,
  };
}

const PROVEN =
  /^(POST|DELETE) \/(user\/(channels$|channels\/link$|totp|google$|credentials\/|export$|deletion$)|payment\/refunds$)/;

/** Returns whether a request needs a proof of identity. */
function needsProof(me: Security, line: string, body: Body): boolean {
  if (line === 'PUT /auth/profile') return body.email !== undefined;
  if (line === 'POST /auth/change-password') return !me.hasPassword;
  if (line === 'POST /auth/google/login') return body.purpose === 'link';
  if (line === 'POST /user/channels' && body.replaces) return false;
  return PROVEN.test(line);
}

/** Returns the error of a request without the required recent proof of identity, or null. */
export function proofRefusal(world: World, line: string, body: Body): Answer | null {
  const me = securityOf(world);
  if (!needsProof(me, line, body) || Date.now() <= me.provenUntil) return null;
  const methods = [...(me.hasPassword ? ['password'] : []), ...(world.methods.link ? ['link'] : [])];
  if (methods.length === 0) methods.push('google');
  return fail(403, 'STEP_UP_REQUIRED', 'Please confirm it is you', { methods, totp: me.factor.enabled });
}

const recoveryCodes = (me: Security) => {
  me.factor = { enabled: true, confirmed_at: me.factor.confirmed_at ?? ago(0), recovery_codes_left: 10 };
  return ok({ recovery_codes: CODES });
};

/** Handlers of the settings page. */
export const security: Handlers = {
  'POST /auth/step-up': ({ world, body }) => {
    const me = securityOf(world);
    if (body.password?.includes('wrong')) return invalid('password', 'wrong');
    if (me.factor.enabled && !body.totp_code) return invalid('totp_code', 'required');
    if (me.factor.enabled && body.totp_code !== CODE) return invalid('totp_code', 'wrong');
    me.provenUntil = Date.now() + 300_000;
    return ok({ until: new Date(me.provenUntil).toISOString() });
  },
  'POST /auth/change-password': ({ world, body }) => {
    const me = securityOf(world);
    if (body.current_password?.includes('wrong')) return invalid('current_password', 'wrong');
    me.hasPassword = true;
    me.signIns = me.signIns.filter((one) => one.current);
    return ok({});
  },
  'PUT /auth/profile': ({ world, body }) => {
    if (body.display_name !== undefined) world.name = body.display_name?.trim() || null;
    return ok({ user: userOf(world), email_change_sent: body.email !== undefined });
  },
  'GET /user/sessions': ({ world }) => ok({ sessions: securityOf(world).signIns }),
  'GET /user/security-events': ({ world }) => ok({ events: events(world.email) }),
  'DELETE /user/sessions/{id}': ({ world, id }) => {
    const me = securityOf(world);
    me.signIns = me.signIns.filter((one) => one.current || one.id !== id);
    return ok({});
  },
  'POST /auth/logout-all': ({ world }) => {
    const me = securityOf(world);
    const before = me.signIns.length;
    me.signIns = me.signIns.filter((one) => one.current);
    return ok({ ended: before - me.signIns.length });
  },
  'GET /user/totp': ({ world }) => ok(securityOf(world).factor),
  'POST /user/totp': ({ world }) =>
    ok({
      secret: SECRET,
      otpauth_url: `otpauth://totp/Sooner:${world.email}?secret=${SECRET}&issuer=Sooner`,
      qr_svg: picture(),
    }),
  'DELETE /user/google': ({ world }) => {
    const me = securityOf(world);
    if (!me.hasPassword) return invalid('password', 'not_set');
    me.googleLinked = false;
    return ok({});
  },
  'DELETE /user/totp': ({ world }) => {
    securityOf(world).factor = { enabled: false, confirmed_at: null, recovery_codes_left: 0 };
    return ok({});
  },
  'POST /user/totp/confirm': ({ world, body }) =>
    body.code === CODE ? recoveryCodes(securityOf(world)) : invalid('code', 'wrong'),
  'POST /user/totp/recovery-codes': ({ world }) => recoveryCodes(securityOf(world)),
  'POST /auth/passkey/options': () => ok({ options: { challenge: CHALLENGE, rpId: 'localhost', userVerification: 'required' } }),
  // The fake backend knows no key, so it accepts no answer.
  'POST /auth/passkey': () => fail(422, 'PASSKEY_REFUSED', 'This passkey was not accepted'),
  'POST /user/passkeys/options': ({ world }) =>
    ok({
      options: {
        challenge: CHALLENGE,
        rp: { id: 'localhost', name: 'localhost' },
        user: { id: CHALLENGE, name: world.email, displayName: world.email },
        pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      },
    }),
  'POST /user/passkeys': ({ world, body }) => {
    const added = { id: `pk-${body.name}`, name: body.name, host: 'localhost', usable: true, created_at: ago(0), used_at: null };
    securityOf(world).passkeys.push(added);
    return ok(added);
  },
  'GET /user/passkeys': ({ world }) => ok({ offered: world.methods.passkeys, passkeys: securityOf(world).passkeys }),
  'DELETE /user/passkeys/{id}': ({ world, id }) => {
    const me = securityOf(world);
    me.passkeys = me.passkeys.filter((one) => one.id !== id);
    return ok({});
  },
  'GET /user/credentials': ({ world }) => ok({ credentials: securityOf(world).portalAccounts }),
  'DELETE /user/credentials/{id}': ({ world, id }) => {
    if (world.email.startsWith('blocked')) return fail(409, 'ACCOUNT_BUSY', 'A booking is under way');
    const me = securityOf(world);
    me.portalAccounts = me.portalAccounts.filter((one) => one.id !== id);
    return ok({});
  },
  'POST /user/export': () =>
    file(new Uint8Array(180_000), {
      'Content-Type': 'application/zip',
      'Content-Disposition': 'attachment; filename="sooner-export.zip"',
    }),
  'GET /user/deletion': ({ world }) => ok(prospect(world)),
  'POST /user/deletion': ({ world, body }) => {
    const { balance, on_hold, refundable } = prospect(world);
    if ((body.forfeit_refundable ?? 0) < refundable) return fail(409, 'BALANCE_CHANGED', 'changed', { refundable });
    return body.forfeit_balance === balance ? ok({}) : fail(409, 'BALANCE_CHANGED', 'changed', { balance, on_hold });
  },
};
