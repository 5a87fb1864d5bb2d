import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { StrictMode, useLayoutEffect } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Frame } from '../../../mock/Frame.tsx';
import { answerCalls } from '../../../mock/wire.ts';
import { authPages } from '../../app/documents/authPages.ts';
import { pages } from '../../app/documents/pages.tsx';
import { goToGoogle } from '../../parts/account/googleSignIn.ts';
import { sessionStore } from '../../shared/api/identity.ts';
import { acceptLogin, endSession } from '../../shared/api/session.ts';
import { accessToken, loadSession } from '../../shared/api/tokens.ts';
import type { LoginAnswer, Question } from '../../shared/api/types.ts';
import { popPageMessage } from '../../shared/browser/pageMessage.ts';
import { storeAddress } from '../../shared/browser/storedAddress.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { TravelContext } from '../../shared/ui/Link.tsx';
import uiEn from '../../shared/ui/words/en.json';
import uiZh from '../../shared/ui/words/zh.json';

type Reply = {
  status?: number;
  data?: unknown;
  code?: string;
  message?: string;
  retryAfter?: number;
  date?: string;
  held?: Promise<void>;
};
type Sent = { path: string; body: Record<string, unknown> | null };

const user = { id: 'u1', username: 'lin@example.com', email: 'lin@example.com' };
const signedIn = { data: { access_token: 'a', refresh_token: 'r', user } };
/** Returns the response to the press on a mailed link. */
const pressed = (outcome: string, email: string | null = null, refresh_token: string | null = null) => ({
  data: { outcome, email, refresh_token },
});

/**
 * Simulates a server that answers requests by path. A list contains consecutive responses, and the
 * last one repeats. `null` is a network failure.
 */
function serve(replies: Record<string, Reply | null | (Reply | null)[]>): Sent[] {
  const sent: Sent[] = [];
  const left = new Map(Object.entries(replies).map(([path, reply]) => [path, Array.isArray(reply) ? [...reply] : [reply]]));
  answerCalls(async ({ path, body: posted, headers }) => {
    sent.push({ path, body: headers.has('Content-Type') ? posted : null });
    const queue = left.get(path) ?? [{ data: {} }];
    const reply = queue.length > 1 ? queue.shift() : queue[0];
    if (!reply) return 'no network';
    await reply.held;
    const error = reply.code ? { code: reply.code, message: reply.message ?? reply.code } : null;
    const body = { success: !error, data: reply.data ?? null, error };
    return {
      status: reply.status ?? 200,
      body,
      headers: {
        ...(reply.retryAfter ? { 'Retry-After': String(reply.retryAfter) } : {}),
        ...(reply.date ? { Date: reply.date } : {}),
      },
    };
  });
  return sent;
}

const t = (key: TextKey, values: Record<string, unknown> = {}) => i18next.t(key, values) as string;
const button = (key: TextKey) => screen.getByRole('button', { name: t(key) });
const field = (key: TextKey) => screen.getByLabelText(t(key), { exact: true, selector: 'input' });
const type = (key: TextKey, value: string) => {
  fireEvent.change(field(key), { target: { value } });
  fireEvent.blur(field(key));
};
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
/** Returns a promise for a response, and a function that releases it. */
function hold() {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { held, release };
}
const shows = (text: string | RegExp) => waitFor(() => expect(screen.getAllByText(text).length).toBeGreaterThan(0));

/**
 * Creates the page of an address. Returns its element, and the list of its navigations, newest
 * last.
 */
function pageAt(path: string) {
  window.history.replaceState(null, '', path);
  const known = Object.keys(authPages) as (keyof typeof authPages)[];
  const name = known.find((one) => authPages[one].path === window.location.pathname) ?? 'login';
  const Page = pages[name];
  const went: { path: string; replace: boolean }[] = [];
  const go = (to: string, how?: { replace: boolean }) => void went.push({ path: to, replace: how?.replace === true });
  const app = (
    <Frame>
      <TravelContext value={{ link: ({ to, ...rest }) => <a href={to} {...rest} />, go, speak: vi.fn() }}>
        <Page />
      </TravelContext>
    </Frame>
  );
  return { app, went };
}

/** Renders the page of an address. Returns the list of its navigations, newest last. */
function open(path: string, strict = false) {
  const { app, went } = pageAt(path);
  render(strict ? <StrictMode>{app}</StrictMode> : app);
  return went;
}

/** Component that presses a button as soon as the page is hydrated, before any other effect. */
function PressedAtOnce({ name }: { name: string }) {
  useLayoutEffect(() => screen.getByRole('button', { name }).click(), [name]);
  return null;
}

/** Hydrates a prerendered page while the user presses a button. */
function openPressed(path: string, name: string) {
  const { app } = pageAt(path);
  const container = document.body.appendChild(document.createElement('div'));
  container.innerHTML = renderToString(app);
  render(
    <>
      {app}
      <PressedAtOnce name={name} />
    </>,
    { container, hydrate: true },
  );
}

/** Opens the page to which the last navigation leads. */
function follow(went: { path: string }[]) {
  cleanup();
  return open(went.at(-1)?.path ?? '');
}

/** Returns the enabled fields and buttons. A loading button counts as disabled. */
const usable = () =>
  [...document.querySelectorAll('input, button')].filter(
    (part) => !(part as HTMLInputElement).disabled && part.getAttribute('aria-disabled') !== 'true',
  );

function fillRegistration() {
  type('auth.email', 'chen@example.com');
  type('auth.password', 'Sunrise#2026');
  type('auth.confirmPassword', 'Sunrise#2026');
}

const uiTexts = () => (i18next.language === 'zh' ? uiZh : uiEn);

/** Presses each show-password button twice. Returns the types of the field after each press. */
function eyes(fields: TextKey[]) {
  const seen: unknown[] = [];
  for (const [at, key] of fields.entries()) {
    const kind = () => (field(key) as HTMLInputElement).type;
    const before = kind();
    fireEvent.click(screen.getAllByRole('button', { name: uiTexts().showPassword })[at] as HTMLElement);
    const shown = kind();
    fireEvent.click(screen.getByRole('button', { name: uiTexts().hidePassword }));
    seen.push([before, shown, kind()]);
  }
  return seen;
}

async function login(password = 'Sunrise#2026', username = 'lin@example.com') {
  type('auth.email', username);
  type('auth.password', password);
  await waitFor(() => expect(button('auth.signInButton')).toHaveProperty('disabled', false));
  fireEvent.click(button('auth.signInButton'));
}

beforeEach(async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await i18nReady;
  vi.spyOn(console, 'error');
});

afterEach(() => {
  cleanup();
  expect(console.error).not.toHaveBeenCalled();
  endSession();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

for (const language of ['zh', 'en'] as const)
  describe(`in ${language}`, () => {
    beforeEach(() => i18next.changeLanguage(language));

    // spec: 2.4.03, 2.4.06, 4.4.11, 5.1.13, 9.12
    it('sign-in waits for a valid form, reports success, and after 1.5 s opens the requested page', async () => {
      const sent = serve({ '/auth/login': signedIn });
      const went = open(`/auth/login?next=${encodeURIComponent('/schedule/edit/7?from=mail')}`);
      expect(button('auth.signInButton')).toHaveProperty('disabled', true);
      type('auth.email', 'lin');
      await shows(t('auth.emailInvalid'));
      await login();
      await shows(t('auth.loginDone'));
      expect(button('auth.signInButton')).toHaveProperty('disabled', true);
      expect(field('auth.email')).toHaveProperty('disabled', true);
      await pass(1_300);
      expect(sessionStore.get()).toBeNull();
      await pass(300);
      expect(went).toEqual([{ path: '/schedule/edit/7?from=mail', replace: true }]);
      expect(sent.find((call) => call.path === '/auth/login')?.body).toEqual({
        username: 'lin@example.com',
        password: 'Sunrise#2026',
        rememberMe: false,
      });
      expect(localStorage.getItem('sooner.refresh')).toBeNull();
    });

    // spec: 9.13
    it('registration applies its rules and opens the page about the mail after 3 s', async () => {
      const sent = serve({});
      const went = open('/auth/register');
      fireEvent.click(button('auth.registerButton'));
      await shows(t('auth.emailRequired'));
      await shows(t('auth.passwordRequired'));
      await shows(t('auth.confirmRequired'));
      type('auth.email', 'chen+1@example.com');
      type('auth.password', 'Sunrise#2026');
      type('auth.confirmPassword', 'Sunrise#2027');
      await shows(t('auth.confirmMismatch'));
      type('auth.confirmPassword', 'Sunrise#2026');
      fireEvent.click(button('auth.registerButton'));
      await shows(t('auth.registered'));
      expect(sent.find((call) => call.path === '/auth/register')?.body).toEqual({
        username: 'chen+1@example.com',
        email: 'chen+1@example.com',
        password: 'Sunrise#2026',
        language,
      });
      await pass(2_800);
      expect(went).toEqual([]);
      await pass(400);
      expect(went.map(({ path }) => path)).toEqual(['/auth/check-mail']);
      follow(went);
      await shows('chen+1@example.com');
    });

    // spec: 2.3.80
    it('the page after a registration sends the link again after a minute, and leads to another address', async () => {
      const sent = serve({
        '/auth/resend-verification': [{ data: {} }, { status: 429, code: 'TOO_MANY_ATTEMPTS', retryAfter: 90 }],
      });
      storeAddress('lin@qq.com');
      open('/auth/check-mail?next=%2Fsettings');
      await shows('lin@qq.com');
      expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(t('auth.checkMailTitle'));
      const mailbox = screen.getByRole('link', { name: t('auth.openMail', { site: 'mail.qq.com' }) });
      expect(mailbox.getAttribute('href')).toBe('https://mail.qq.com');
      expect(mailbox.getAttribute('rel')).toBe('noopener noreferrer');
      const again = (count: number) => screen.getByRole('button', { name: t('auth.forgotAgainIn', { count }) });
      expect(again(60)).toHaveProperty('disabled', true);
      await pass(60_500);
      fireEvent.click(button('auth.forgotAgain'));
      await shows(t('auth.resendDone'));
      await pass(60_500);
      fireEvent.click(button('auth.forgotAgain'));
      await shows(t('problem.tooManyWait', { wait: t('problem.waitSeconds', { count: 90 }) }));
      const asked = sent.filter((call) => call.path === '/auth/resend-verification');
      expect(asked.map((call) => call.body)).toEqual([{ email: 'lin@qq.com' }, { email: 'lin@qq.com' }]);
      const change = screen.getByRole('link', { name: t('auth.changeAddress') }) as HTMLAnchorElement;
      expect([change.pathname, change.search]).toEqual(['/auth/register', '?next=%2Fsettings']);
      fireEvent.click(change);
      cleanup();
      open('/auth/register?next=%2Fsettings');
      await waitFor(() => expect(field('auth.email')).toHaveProperty('value', 'lin@qq.com'));
    });

    // spec: 2.3.80
    it('the page after a registration names no mailbox of an unknown provider, and needs no stored address', async () => {
      serve({});
      storeAddress('lin@uni.example.ca');
      open('/auth/check-mail');
      await shows('lin@uni.example.ca');
      expect(
        screen.queryByRole('link', {
          name: new RegExp(
            t('auth.openMail', { site: '' })
              .replace(/[（）]/g, '')
              .trim(),
          ),
        }),
      ).toBeNull();
      cleanup();
      localStorage.clear();
      open('/auth/check-mail');
      await shows(t('auth.checkMailUnknown'));
      expect(screen.getByRole('link', { name: t('auth.resendTitle') })).toHaveProperty('pathname', '/auth/resend-verification');
    });

    // spec: 2.5.01, 2.5.02, 4.1.11
    it('a forgotten password: sent, again after a minute, and the wait if refused', async () => {
      const sent = serve({
        '/auth/forgot-password': [{ data: {} }, { status: 429, code: 'TOO_MANY_ATTEMPTS', retryAfter: 90 }],
      });
      open('/auth/forgot-password');
      type('auth.email', 'lin@example.com');
      fireEvent.click(button('auth.forgotButton'));
      await shows(t('auth.forgotSentTitle'));
      expect(screen.getByRole('button', { name: t('auth.forgotAgainIn', { count: 60 }) })).toHaveProperty('disabled', true);
      await pass(60_500);
      fireEvent.click(button('auth.forgotAgain'));
      await shows(t('problem.tooManyWait', { wait: t('problem.waitSeconds', { count: 90 }) }));
      expect(sent.filter((call) => call.path === '/auth/forgot-password').map((call) => call.body)).toEqual([
        { email: 'lin@example.com' },
        { email: 'lin@example.com' },
      ]);
      expect(screen.getByRole('link', { name: t('auth.backToSignIn') })).toHaveProperty('pathname', '/auth/login');
    });

    // spec: 2.5.03, 2.5.05, 2.5.06, 3.64, 4.1.10, 9.14
    it('a reset link is checked first, accepts a password without special characters, and opens the sign-in after 3 s', async () => {
      const sent = serve({ '/auth/verify-reset-token': { data: { valid: true } } });
      const went = open('/auth/reset-password?token=abc');
      await shows(t('auth.newPassword'));
      type('auth.newPassword', 'sunrise2');
      await shows(t('auth.resetClasses'));
      type('auth.newPassword', 'Sunrise2');
      type('auth.confirmNewPassword', 'Sunrise2');
      fireEvent.click(button('auth.resetButton'));
      await shows(t('auth.resetDone'));
      expect(sent.at(-1)).toEqual({ path: '/auth/reset-password', body: { token: 'abc', password: 'Sunrise2' } });
      await pass(3_100);
      expect(went).toEqual([{ path: '/auth/login', replace: true }]);
      follow(went);
      await shows(t('auth.resetSignIn'));
    });

    // spec: 2.4.02, 2.5.05
    it('a password can be shown and hidden, at sign-in and in both fields of a reset', async () => {
      serve({ '/auth/verify-reset-token': { data: { valid: true } } });
      open('/auth/login');
      expect(eyes(['auth.password'])).toEqual([['password', 'text', 'password']]);
      cleanup();
      open('/auth/reset-password?token=abc');
      await shows(t('auth.newPassword'));
      expect(eyes(['auth.newPassword', 'auth.confirmNewPassword'])).toEqual([
        ['password', 'text', 'password'],
        ['password', 'text', 'password'],
      ]);
    });

    // spec: 2.3.03, 2.4.05
    it('sign-in links to registration and to a forgotten password, registration to sign-in', () => {
      serve({});
      const link = (key: TextKey) => screen.getByRole('link', { name: t(key) });
      open('/auth/login');
      expect(link('auth.registerHere')).toHaveProperty('pathname', '/auth/register');
      expect(link('auth.forgotLink')).toHaveProperty('pathname', '/auth/forgot-password');
      cleanup();
      open('/auth/register?next=%2Fsettings');
      expect(link('auth.signInHere')).toHaveProperty('pathname', '/auth/login');
      expect(link('auth.signInHere')).toHaveProperty('search', '?next=%2Fsettings');
    });

    // spec: 4.4.11
    it('a registration in progress disables every field and button', async () => {
      const { held, release } = hold();
      const sent = serve({ '/auth/register': { data: {}, held } });
      open('/auth/register');
      fillRegistration();
      expect(usable()).not.toEqual([]);
      fireEvent.click(button('auth.registerButton'));
      await waitFor(() => expect(sent.some((call) => call.path === '/auth/register')).toBe(true));
      expect(usable()).toEqual([]);
      release();
      await shows(t('auth.registered'));
      expect(usable()).toEqual([]);
    });

    // spec: 5.1.14
    it('a forgotten password needs a valid address', async () => {
      const sent = serve({});
      open('/auth/forgot-password');
      fireEvent.click(button('auth.forgotButton'));
      await shows(t('auth.emailRequired'));
      type('auth.email', 'lin@example');
      await shows(t('auth.emailInvalid'));
      fireEvent.click(button('auth.forgotButton'));
      await pass(100);
      expect(sent.filter((call) => call.path === '/auth/forgot-password')).toEqual([]);
    });
  });

describe('a failure without a text', () => {
  const register = async () => {
    open('/auth/register');
    fillRegistration();
    fireEvent.click(button('auth.registerButton'));
  };
  const forgot = async () => {
    open('/auth/forgot-password');
    type('auth.email', 'lin@example.com');
    fireEvent.click(button('auth.forgotButton'));
  };
  const check = async () => void open('/auth/reset-password?token=x');
  const reset = async () => {
    await check();
    await shows(t('auth.newPassword'));
    type('auth.newPassword', 'Sunrise2');
    type('auth.confirmNewPassword', 'Sunrise2');
    fireEvent.click(button('auth.resetButton'));
  };
  const good = { '/auth/verify-reset-token': { data: { valid: true } } };
  const bare: Reply = { status: 502 };
  const cases: [string, string, Record<string, Reply>, () => Promise<void>][] = [
    ['Registration failed', '注册失败，请再试一次', { '/auth/register': bare }, register],
    [
      'An unexpected error occurred. Please try again.',
      '发生了意外错误，请再试一次。',
      { '/auth/register': { status: 500, code: 'INTERNAL' } },
      register,
    ],
    ['Failed to send reset email', '重置邮件发送失败，请再试一次', { '/auth/forgot-password': bare }, forgot],
    ['Failed to verify reset token', '重置链接检查失败，请再试一次', { '/auth/verify-reset-token': bare }, check],
    ['Failed to reset password', '设置新密码失败，请再试一次', { ...good, '/auth/reset-password': bare }, reset],
  ];
  // spec: 8.1.02, 8.1.04, 8.1.13, 8.1.17
  for (const [en, zh, replies, attempt] of cases)
    it.each([
      ['en', en],
      ['zh', zh],
    ])(`shows ${en}, in %s`, async (language, message) => {
      await i18next.changeLanguage(language);
      serve(replies);
      await attempt();
      await shows(message);
    });

  // spec: 8.1.02
  it("registration prefers the server's own sentence to 'Registration failed'", async () => {
    await i18next.changeLanguage('en');
    serve({ '/auth/register': { status: 400, code: 'X', message: 'Closed on Sundays' } });
    await register();
    await shows('Closed on Sundays');
    expect(screen.queryByText('Registration failed')).toBeNull();
  });
});

describe('a failed sign-in', () => {
  beforeEach(() => i18next.changeLanguage('en'));

  const cases: [string, Reply | null, string][] = [
    ['by code', { status: 401, code: 'INVALID_CREDENTIALS' }, 'Invalid email or password'],
    ['by code', { status: 403, code: 'EMAIL_NOT_VERIFIED' }, 'Please verify your email before logging in'],
    ['by a word', { status: 400, code: 'X', message: 'bad Credentials' }, 'Invalid email or password'],
    ['by a word', { status: 400, code: 'X', message: 'confirm your Email' }, 'Please verify your email before logging in'],
    ['the server', { status: 400, code: 'X', message: 'Closed on Sundays' }, 'Closed on Sundays'],
    ['the default', { status: 400, code: 'X', message: '今天不行' }, 'Login failed. Please check your credentials.'],
    ['half an answer', { data: { access_token: 'a' } }, 'Unexpected response format'],
    ['no network', null, 'Network error. Please try again.'],
    ['too often', { status: 429, code: 'TOO_MANY_ATTEMPTS', retryAfter: 200 }, 'Too many attempts. Try again in 4 minutes.'],
  ];
  // spec: 8.1.03, 8.1.05, 8.1.07, 8.1.08, 10.7.13
  for (const [name, reply, message] of cases)
    it(`${name}: ${message}`, async () => {
      serve({ '/auth/login': reply });
      open('/auth/login');
      await login();
      await shows(new RegExp(message.replaceAll('.', '\\.')));
      expect(button('auth.signInButton')).toHaveProperty('disabled', false);
    });
});

describe('the second factor', () => {
  beforeEach(() => i18next.changeLanguage('zh'));

  it('asks for the code, reports a wrong code, and signs in', async () => {
    const sent = serve({
      '/auth/login': [{ status: 401, code: 'TOTP_REQUIRED' }, { status: 401, code: 'TOTP_INVALID' }, signedIn],
    });
    open('/auth/login');
    await login();
    await shows(t('auth.totpTitle'));
    expect(field('auth.totpCode').getAttribute('autocomplete')).toBe('one-time-code');
    fireEvent.change(field('auth.totpCode'), { target: { value: '12345' } });
    fireEvent.click(button('auth.totpButton'));
    await shows(t('auth.totpFormat'));
    fireEvent.change(field('auth.totpCode'), { target: { value: '123 456' } });
    fireEvent.click(button('auth.totpButton'));
    await shows(t('auth.totpWrong'));
    fireEvent.click(button('auth.totpUseRecovery'));
    await shows(t('auth.totpRecovery'));
    fireEvent.change(field('auth.totpRecovery'), { target: { value: 'ab2cd-3ef4g' } });
    fireEvent.click(button('auth.totpButton'));
    await shows(t('auth.loginDone'));
    const codes = sent.filter((call) => call.path === '/auth/login').map((call) => call.body?.totp_code);
    expect(codes).toEqual([undefined, '123456', 'ab2cd-3ef4g']);
  });
});

describe('an unusable reset link', () => {
  beforeEach(() => i18next.changeLanguage('en'));

  // spec: 8.1.15
  it('shows for an incomplete link: Invalid or missing reset token', async () => {
    const sent = serve({});
    open('/auth/reset-password');
    await shows('Invalid or missing reset token');
    expect(screen.getByRole('link', { name: t('auth.resetRequestNew') })).toHaveProperty('pathname', '/auth/forgot-password');
    expect(screen.getByRole('link', { name: t('auth.backToSignIn') })).toHaveProperty('pathname', '/auth/login');
    expect(sent.filter((call) => call.path === '/auth/verify-reset-token')).toEqual([]);
  });

  const cases: [string, Record<string, Reply | null>, TextKey][] = [
    ['?token=x', { '/auth/verify-reset-token': { data: { valid: false, reason: 'expired' } } }, 'auth.resetExpired'],
    ['?token=x', { '/auth/verify-reset-token': { data: { valid: false, reason: 'invalid' } } }, 'auth.resetInvalid'],
    ['?token=x', { '/auth/verify-reset-token': null }, 'problem.network'],
  ];
  for (const [search, replies, textKey] of cases)
    it(`shows ${textKey}, and what to do next`, async () => {
      serve(replies);
      open(`/auth/reset-password${search}`);
      await shows(t(textKey));
      expect(screen.getByRole('link', { name: t('auth.resetRequestNew') })).toHaveProperty('pathname', '/auth/forgot-password');
      expect(screen.getByRole('link', { name: t('auth.backToSignIn') })).toHaveProperty('pathname', '/auth/login');
    });

  // spec: 2.5.04, 2.5.07, 4.1.10, 8.1.16
  it('reports that it expired while the form is filled in', async () => {
    serve({
      '/auth/verify-reset-token': { data: { valid: true } },
      '/auth/reset-password': { status: 410, code: 'TOKEN_EXPIRED' },
    });
    open('/auth/reset-password?token=x');
    await shows(t('auth.newPassword'));
    type('auth.newPassword', 'Sunrise2');
    type('auth.confirmNewPassword', 'Sunrise2');
    fireEvent.click(button('auth.resetButton'));
    await shows(t('auth.resetExpired'));
  });
});

describe('a typed address', () => {
  /** Follows a link without leaving the test page. */
  const press = (key: TextKey) => {
    const link = screen.getByRole('link', { name: t(key) });
    document.addEventListener('click', (event) => event.preventDefault(), { once: true });
    fireEvent.click(link);
    cleanup();
    return open(link.getAttribute('href') ?? '');
  };
  const email = () => (field('auth.email') as HTMLInputElement).value;

  it('is filled in on the page for a forgotten password, and on returning from it', () => {
    serve({});
    open('/auth/login');
    type('auth.email', 'lin@example.com');
    press('auth.forgotLink');
    expect(email()).toBe('lin@example.com');
    press('auth.backToSignIn');
    expect(email()).toBe('lin@example.com');
  });

  it('is filled in after the user opened the mailed link, until a user signs in', async () => {
    serve({ '/auth/login': signedIn });
    open('/auth/forgot-password');
    type('auth.email', 'lin@example.com');
    fireEvent.click(button('auth.forgotButton'));
    await shows(t('auth.forgotSentTitle'));
    cleanup();
    open('/auth/login');
    expect(email()).toBe('lin@example.com');
    await login();
    await shows(t('auth.loginDone'));
    await pass(1_600);
    endSession();
    cleanup();
    open('/auth/login');
    expect(email()).toBe('');
  });

  it('is filled in after the address was verified, but not a day later', async () => {
    serve({ '/auth/verify-email': pressed('verified') });
    open('/auth/register');
    fillRegistration();
    fireEvent.click(button('auth.registerButton'));
    await shows(t('auth.registered'));
    cleanup();
    open('/auth/verify-email?token=x');
    fireEvent.click(button('auth.verifyButton'));
    await shows(t('auth.verified'));
    press('auth.goSignIn');
    expect(email()).toBe('chen@example.com');
    cleanup();
    vi.setSystemTime(Date.now() + 25 * 3_600_000);
    open('/auth/login');
    expect(email()).toBe('');
  });
});

describe('a verification link', () => {
  beforeEach(() => i18next.changeLanguage('en'));

  // spec: 10.7.15
  it('changes nothing until the button is pressed', async () => {
    const sent = serve({ '/auth/verify-email': pressed('verified', 'lin@example.com') });
    open('/auth/verify-email?token=x');
    expect(sent.filter((call) => call.path === '/auth/verify-email')).toEqual([]);
    fireEvent.click(button('auth.verifyButton'));
    await shows(t('auth.verified'));
    expect(screen.getByRole('link', { name: t('auth.goSignIn') })).toHaveProperty('pathname', '/auth/login');
  });

  it('sends its token when the user presses the button as soon as the code has loaded', async () => {
    const tokens: (string | null)[] = [];
    answerCalls(({ path, query }) => {
      if (path === '/auth/verify-email') tokens.push(query.get('token'));
      return { status: 200, body: { success: true, error: null, ...pressed('verified') }, headers: {} };
    });
    openPressed('/auth/verify-email?token=x', t('auth.verifyButton'));
    await shows(t('auth.verified'));
    expect(tokens).toEqual(['x']);
  });

  // spec: 10.7.42
  it('signs in the browser that registered, and opens the dashboard', async () => {
    const sent = serve({
      '/auth/verify-email': pressed('verified', 'lin@example.com', 'b-once'),
      '/auth/refresh': { data: { access_token: 'a', refresh_token: 'r' } },
      '/user/profile': { data: { user } },
    });
    const went = open('/auth/verify-email?token=x');
    fireEvent.click(button('auth.verifyButton'));
    await waitFor(() => expect(went).toEqual([{ path: '/dashboard', replace: true }]));
    expect(sent.find((call) => call.path === '/auth/refresh')?.body).toEqual({ refresh_token: 'b-once' });
    expect(sessionStore.get()?.email).toBe('lin@example.com');
    expect(loadSession()?.persistent).toBe(false);
  });

  it('verifies the address even if the sign-in after it fails', async () => {
    serve({
      '/auth/verify-email': pressed('verified', 'lin@example.com', 'b-lost'),
      '/auth/refresh': { status: 401, code: 'INVALID_REFRESH_TOKEN' },
    });
    open('/auth/verify-email?token=x');
    fireEvent.click(button('auth.verifyButton'));
    await shows(t('auth.verified'));
    const on = screen.getByRole('link', { name: t('auth.goSignIn') });
    fireEvent.click(on);
    expect(popPageMessage()).toEqual({ email: 'lin@example.com' });
  });

  // spec: 10.7.42
  it('in another browser opens the sign-in, which has the address and passes the link on', async () => {
    const sent = serve({ '/auth/verify-email': pressed('sign_in_first', 'lin@example.com'), '/auth/login': signedIn });
    const went = open('/auth/verify-email?token=x');
    fireEvent.click(button('auth.verifyButton'));
    await waitFor(() => expect(went).toEqual([{ path: '/auth/login', replace: false }]));
    follow(went);
    await shows(t('auth.verifyHere'));
    expect(field('auth.email')).toHaveProperty('value', 'lin@example.com');
    await login();
    await shows(t('auth.loginDone'));
    const body = sent.find((call) => call.path === '/auth/login')?.body;
    expect(body).toMatchObject({ username: 'lin@example.com', link: 'x' });
  });

  it.each([
    ['sign_in_first', 'auth.verifyOther'],
    ['verified', 'auth.verifiedOther'],
  ] as const)('keeps the session of a signed-in user (%s)', async (outcome, said) => {
    serve({ '/auth/verify-email': pressed(outcome, 'other@example.com', outcome === 'verified' ? 'b-no' : null) });
    acceptLogin(signedIn.data as LoginAnswer, false);
    const went = open('/auth/verify-email?token=x');
    fireEvent.click(button('auth.verifyButton'));
    await shows(t(said, { email: 'other@example.com' }));
    expect(sessionStore.get()?.email).toBe('lin@example.com');
    expect(went).toEqual([]);
  });

  // spec: 8.1.14
  for (const [reply, textKey] of [
    [{ status: 410, code: 'TOKEN_EXPIRED' }, 'problem.tokenExpired'],
    [{ status: 400, code: 'INVALID_TOKEN' }, 'problem.tokenInvalid'],
    [null, 'problem.network'],
  ] as [Reply | null, TextKey][])
    it(`shows ${textKey}`, async () => {
      serve({ '/auth/verify-email': reply });
      open('/auth/verify-email?token=x');
      fireEvent.click(button('auth.verifyButton'));
      await shows(t(textKey));
      expect(screen.getByRole('link', { name: t('auth.resendTitle') })).toBeTruthy();
    });
});

describe('a link that verifies a new address', () => {
  beforeEach(() => i18next.changeLanguage('zh'));

  it('shows the new address to a signed-in user, and links to the settings', async () => {
    serve({
      '/auth/verify-email': pressed('email_changed', 'new@example.com'),
      '/user/profile': { data: { user: { ...user, username: 'new@example.com', email: 'new@example.com' } } },
    });
    acceptLogin(signedIn.data as LoginAnswer, false);
    open('/auth/verify-email?token=x');
    fireEvent.click(button('auth.verifyButton'));
    await shows(t('auth.verifiedSignedIn'));
    expect(sessionStore.get()?.email).toBe('new@example.com');
    expect(screen.getByRole('link', { name: t('auth.goSettings') })).toHaveProperty('pathname', '/settings');
  });

  it.each([
    ['new@example.com', () => t('auth.changedTo', { email: 'new@example.com' })],
    [null, () => t('auth.changedText')],
  ])('states that it ended this session, and which address to use for signing in (%s)', async (known, said) => {
    if (known) storeAddress(known);
    serve({
      '/auth/verify-email': pressed('email_changed'),
      '/user/profile': { status: 401, code: 'UNAUTHORIZED' },
      '/auth/refresh': { status: 401, code: 'UNAUTHORIZED' },
    });
    acceptLogin(signedIn.data as LoginAnswer, false);
    open('/auth/verify-email?token=x');
    fireEvent.click(button('auth.verifyButton'));
    await shows(said());
    expect(screen.getByRole('heading', { name: t('auth.changed') })).toBeTruthy();
    expect(sessionStore.get()).toBeNull();
    const link = screen.getByRole('link', { name: t('auth.goSignIn') });
    cleanup();
    open(link.getAttribute('href') ?? '');
    expect(field('auth.email')).toHaveProperty('value', known ?? '');
  });

  it('links back to the settings afterwards', async () => {
    serve({ '/auth/verify-email': { status: 410, code: 'TOKEN_EXPIRED' } });
    acceptLogin(signedIn.data as LoginAnswer, false);
    open('/auth/verify-email?token=x');
    fireEvent.click(button('auth.verifyButton'));
    await shows(t('auth.changeAgain'));
    expect(screen.queryByRole('button', { name: t('auth.verifyButton') })).toBeNull();
  });
});

describe('the panel beside the form', () => {
  // spec: 10.13.09
  it.each([
    ['/auth/register', 'auth.asideNew'],
    ['/auth/login', 'auth.asideBack'],
  ] as const)('explains what %s is for, with an example marked as one', async (path, title) => {
    serve({});
    open(path);
    const aside = within(screen.getByRole('complementary'));
    expect(aside.getByText(t(title))).toBeTruthy();
    if (path === '/auth/register')
      expect(aside.getByRole('img').getAttribute('aria-label')).toMatch(/invented data|demonstration data|演示数据/);
    else expect(aside.getByText(t('auth.asideLog3'))).toBeTruthy();
    expect(aside.getByText(t('landing.demoData'))).toBeTruthy();
    for (const point of ['auth.asidePoint1', 'auth.asidePoint2', 'auth.asidePoint3'] as const)
      expect(aside.getByText(t(point))).toBeTruthy();
  });
});

describe('a page for guests', () => {
  // spec: 2.1.04, 2.1.05, 2.1.15, 6.03
  for (const path of ['/auth/login', '/auth/register', '/auth/forgot-password', '/auth/reset-password?token=x'])
    it(`redirects signed-in users from ${path} to the dashboard`, () => {
      serve({});
      acceptLogin(signedIn.data as LoginAnswer, false);
      expect(open(path)).toEqual([{ path: '/dashboard', replace: true }]);
    });
});

describe('the return from Google', () => {
  const jwt = `e30.${btoa('{"typ":"bootstrap"}')}.x`;
  const good = `?success=true&token=${jwt}&refresh_token=boot&is_new_user=true`;
  beforeEach(() => i18next.changeLanguage('en'));

  // spec: 2.1.06, 2.6.01, 2.6.02, 4.1.02
  it('is exchanged once, is removed from the address, and opens the requested page', async () => {
    const sent = serve({
      '/auth/refresh': { data: { access_token: 'a', refresh_token: 'r' } },
      '/user/profile': { data: { user } },
      '/auth/google/login': { data: { auth_url: 'https://accounts.example.com/auth', state: 's' } },
    });
    const here = window.location;
    vi.stubGlobal('location', { ...here, assign: vi.fn() });
    await goToGoogle({ purpose: 'sign_in', rememberMe: true, returnTo: '/settings' }, 'en').catch(() => undefined);
    vi.stubGlobal('location', here);
    const replaced = vi.spyOn(window.history, 'replaceState');
    const asked = vi.spyOn(window, 'fetch');
    const went = open(`/auth/google/callback${good}`, true);
    await waitFor(() => expect(went).toEqual([{ path: '/settings', replace: true }]));
    expect(asked.mock.calls.filter(([what]) => what === '/settings').length, 'its files are asked for meanwhile').toBe(1);
    expect(sent.filter((call) => call.path === '/auth/refresh').map((call) => call.body)).toEqual([{ refresh_token: 'boot' }]);
    expect(replaced).toHaveBeenCalledWith(null, '', '/auth/google/callback');
    expect([accessToken.get(), loadSession()?.persistent]).toEqual(['a', true]);
  });

  // spec: 2.6.02
  it.each(['en', 'zh'])('shows in %s that it waits, then replaces the return page by the dashboard', async (language) => {
    await i18next.changeLanguage(language);
    const { held, release } = hold();
    serve({
      '/auth/refresh': { data: { access_token: 'a', refresh_token: 'r' }, held },
      '/user/profile': { data: { user } },
    });
    const went = open(`/auth/google/callback?success=true&token=${jwt}&refresh_token=waits-${language}`);
    const spinner = screen.getByRole('status');
    expect(spinner.textContent).toBe(t('auth.callbackBusy'));
    expect(spinner.querySelector('[aria-hidden]')).toBeTruthy();
    release();
    await waitFor(() => expect(went).toEqual([{ path: '/dashboard', replace: true }]));
  });

  // spec: 10.7.28, 10.13.10
  it('continues on the page that required the step-up', async () => {
    serve({});
    sessionStorage.setItem('sooner.google', JSON.stringify({ purpose: 'step_up', returnTo: '/settings#credentials' }));
    const went = open('/auth/google/callback?success=true&step_up=true');
    await waitFor(() => expect(went.map(({ path }) => path)).toEqual(['/settings#credentials']));
    expect(popPageMessage()).toEqual({ greeting: 'steppedUp' });
  });

  // spec: 10.7.72
  it('reports in the settings that Google was linked', async () => {
    serve({});
    sessionStorage.setItem('sooner.google', JSON.stringify({ purpose: 'link', returnTo: '/settings#account' }));
    const went = open('/auth/google/callback?success=true&linked=true');
    await waitFor(() => expect(went.map(({ path }) => path)).toEqual(['/settings#account']));
    expect(popPageMessage()).toEqual({ greeting: 'googleLinked' });
  });

  const typeCode = (text: string) => {
    fireEvent.change(screen.getByLabelText(t('auth.totpCode')), { target: { value: text } });
    fireEvent.click(button('auth.totpButton'));
  };

  // spec: 10.7.72
  it.each(['en', 'zh'])('prompts in %s for the second factor after Google, and again after a wrong code', async (language) => {
    await i18next.changeLanguage(language);
    const sent = serve({
      '/auth/refresh': [
        { status: 401, code: 'TOTP_REQUIRED' },
        { status: 401, code: 'TOTP_INVALID' },
        { data: { access_token: 'a', refresh_token: 'r' } },
      ],
      '/user/profile': { data: { user } },
    });
    const went = open(`/auth/google/callback?success=true&token=${jwt}&refresh_token=factor-${language}`);
    await screen.findByLabelText(t('auth.totpCode'));
    typeCode('111111');
    await shows(t('problem.totpWrong'));
    typeCode('222 222');
    await waitFor(() => expect(went).toEqual([{ path: '/dashboard', replace: true }]));
    expect(sent.filter((call) => call.path === '/auth/refresh').map((call) => call.body)).toEqual([
      { refresh_token: `factor-${language}` },
      { refresh_token: `factor-${language}`, totp_code: '111111' },
      { refresh_token: `factor-${language}`, totp_code: '222222' },
    ]);
  });

  // spec: 10.7.72
  it('completes a proof at Google with a code, and reports a late one', async () => {
    const sent = serve({
      '/auth/step-up': [
        { status: 422, code: 'VALIDATION_FAILED', data: { fields: { totp_code: 'wrong' } } },
        { status: 422, code: 'VALIDATION_FAILED', data: { fields: { password: 'required' } } },
      ],
    });
    sessionStorage.setItem('sooner.google', JSON.stringify({ purpose: 'step_up', returnTo: '/settings#credentials' }));
    open('/auth/google/callback?success=true&step_up=true&code=true');
    await screen.findByLabelText(t('auth.totpCode'));
    typeCode('111111');
    await shows(t('problem.totpWrong'));
    typeCode('222222');
    await shows(t('auth.callbackCodeLate'));
    expect(screen.getByRole('link', { name: t('auth.back') })).toHaveProperty('pathname', '/settings');
    expect(sent.map((call) => call.body)).toEqual([{ totp_code: '111111' }, { totp_code: '222222' }]);
  });

  // spec: 2.6.01
  it.each([
    ['true', { greeting: 'welcomeNew' }],
    ['false', null],
  ])('greets a new user once, and no other user (%s)', async (isNew, note) => {
    serve({
      '/auth/refresh': { data: { access_token: 'a', refresh_token: 'r' } },
      '/user/profile': { data: { user } },
    });
    const went = open(`/auth/google/callback?success=true&token=${jwt}&refresh_token=new-${isNew}&is_new_user=${isNew}`, true);
    await waitFor(() => expect(went.map(({ path }) => path)).toEqual(['/dashboard']));
    expect([popPageMessage(), popPageMessage()]).toEqual([note, null]);
  });

  const failures: [string, string][] = [
    ['?error=missing_code', 'Missing authorization code from Google'],
    ['?error=access_denied', 'You did not allow the sign-in at Google.'],
    ['?error=state_mismatch', 'This sign-in was started in another browser or has already been used.'],
    ['?error=expired', 'The sign-in took more than 10 minutes.'],
    ['?error=provider_unavailable', 'Google is not responding right now.'],
    ['?error=email_unverified', 'Google has not verified this email address yet.'],
    ['?error=invalid_token', 'We could not read Google’s response.'],
    [
      '?error=totp_required',
      'This account has two-step verification. Please sign in with your password and link Google in the settings.',
    ],
    [
      '?error=link_first',
      'An account with this email exists already. Sign in with your password and link Google in the settings.',
    ],
    ['?error=linked_elsewhere', 'This Google account is linked to another account here.'],
    ['?error=another_linked', 'Another Google account is linked already. Unlink it first.'],
    ['?error=server_error', 'Google authentication failed: server_error'],
    ['?error=Call+0123+now!', 'Google sign in failed. Please try again.'],
    ['', 'This page was opened without a response from Google.'],
    ['?success=true&token=a.b.c', 'This page was opened without a response from Google.'],
    ['?success=true&token=nonsense&refresh_token=r', 'We could not read Google’s response.'],
  ];
  // spec: 2.6.01, 2.6.03, 2.6.04, 8.1.10, 8.1.11, 8.1.12
  for (const [search, message] of failures)
    it(`shows for "${search}": ${message}`, async () => {
      const sent = serve({});
      open(`/auth/google/callback${search}`);
      await shows(message);
      expect(screen.getByRole('link', { name: t('auth.backToSignIn') })).toHaveProperty('pathname', '/auth/login');
      expect(sent).toEqual([]);
    });

  // spec: 10.7.26
  it('refuses a link of another user, and keeps the signed-in user’s session', async () => {
    serve({ '/auth/login': signedIn, '/auth/refresh': { status: 401, code: 'INVALID_REFRESH_TOKEN' } });
    open('/auth/google/callback?success=true&token=e30.e30.x&refresh_token=stranger');
    await shows('This sign-in was started in another browser or has already been used.');
    expect(loadSession()).toBeNull();
  });

  it('can be retried after a network failure', async () => {
    serve({
      '/auth/refresh': [null, { data: { access_token: 'a', refresh_token: 'r' } }],
      '/user/profile': { data: { user } },
    });
    const went = open('/auth/google/callback?success=true&token=e30.e30.x&refresh_token=lost');
    await shows('Network error. Please try again.');
    fireEvent.click(button('problem.retry'));
    await waitFor(() => expect(went.map(({ path }) => path)).toEqual(['/dashboard']));
  });
});

describe('the page of a question', () => {
  const question = (state: Question['state'], over: Partial<Question> = {}) => ({
    data: {
      state,
      schedule_id: 't1',
      facility: 'Toronto',
      facility_zh: '多伦多',
      date: '2027-02-09',
      old: { date: '2027-08-17', time: '08:15', facility: 'Toronto', facility_zh: '多伦多', fingerprints: null },
      new: null,
      changes_left: 2,
      price: 38,
      initials: ['Z. M.'],
      valid_until: new Date(Date.now() + 60_000).toISOString(),
      ...over,
    } satisfies Question,
  });
  const won = { date: '2027-02-09', time: '09:15', facility: 'Toronto', facility_zh: '多伦多', fingerprints: null };

  // spec: 10.1.15, 10.1.16
  it('changes nothing until its one button is pressed, and then shows the outcome', async () => {
    const sent = serve({
      '/questions': [question('open'), question('booked', { new: won })],
      '/questions/answer': question('trying'),
    });
    open('/auth/answer?token=abc');
    await shows(/38\.00/);
    await shows(t('answer.gained', { count: 189 }));
    await shows(/^([345]\d|60) seconds left to answer, until \d/);
    expect(document.querySelector('aside'), 'nothing beside a decision').toBeNull();
    expect(sent).toEqual([{ path: '/questions', body: null }]);
    expect(screen.getAllByRole('button').filter((one) => one.textContent === t('answer.yes'))).toHaveLength(1);
    fireEvent.click(button('answer.yes'));
    await shows(t('answer.trying'));
    expect(sent[1]).toEqual({ path: '/questions/answer', body: { token: 'abc', answer: 'yes' } });
    await waitFor(() => expect(screen.getByText(t('answer.booked'))).toBeTruthy(), { timeout: 4_000 });
  });

  it('counts down by the server’s clock, and requests the question again when the page becomes visible', async () => {
    const serverNow = Date.now() + 3_600_000;
    const valid_until = new Date(serverNow + 90_000).toISOString();
    const asks = { ...question('open', { valid_until }), date: new Date(serverNow).toUTCString() };
    const sent = serve({ '/questions': [asks, asks, question('late')] });
    open('/auth/answer?token=abc');
    await shows(/^(8\d|9[01]) seconds left to answer/);
    // The device slept: a minute passes without a timer.
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    await shows(/^(2\d|3[01]) seconds left to answer/);
    clock.mockRestore();
    fireEvent(document, new Event('visibilitychange'));
    await waitFor(() => expect(sent).toHaveLength(2));
    fireEvent(document, new Event('visibilitychange'));
    await shows(t('answer.late'));
  });

  // spec: 10.1.16
  it('sends a no, and shows that the search goes on', async () => {
    const sent = serve({ '/questions': question('open'), '/questions/answer': question('declined') });
    open('/auth/answer?token=abc');
    await shows(/38\.00/);
    fireEvent.click(button('answer.no'));
    await shows(t('answer.declined'));
    expect(screen.getByRole('heading', { name: t('answer.notBookedTitle') })).toBeTruthy();
    expect(screen.queryByRole('button', { name: t('answer.yes') })).toBeNull();
    expect(screen.getByRole('link', { name: t('answer.task') })).toBeTruthy();
    expect(sent.at(-1)).toEqual({ path: '/questions/answer', body: { token: 'abc', answer: 'no' } });
  });

  // spec: 10.1.16
  for (const [state, textKey] of [
    ['gone', 'answer.gone'],
    ['not_booked', 'answer.notBooked'],
    ['late', 'answer.late'],
    ['edited', 'answer.edited'],
    ['moved', 'answer.moved'],
    ['paused', 'answer.paused'],
    ['declined', 'answer.declined'],
  ] as const)
    it(`shows a question that is ${state} without a button`, async () => {
      serve({ '/questions': question(state) });
      open('/auth/answer?token=abc');
      await shows(t(textKey));
      expect(screen.queryByRole('button', { name: t('answer.yes') })).toBeNull();
    });

  it('shows the fingerprint appointment beside each interview', async () => {
    const fingerprints = { date: '2027-02-05', time: '07:30', city: 'Bogota', city_zh: '波哥大' };
    const old = { ...won, date: '2027-08-17', fingerprints: { ...fingerprints, date: '2027-08-10' } };
    serve({ '/questions': question('booked', { old, new: { ...won, fingerprints } }) });
    open('/auth/answer?token=abc');
    await shows(/^Fingerprints: .*Bogota$/);
    const lines = screen.getAllByText(/^Fingerprints: /).map((line) => line.textContent?.replaceAll('\u2060', ''));
    expect(lines.map((line) => line?.slice(0, 24))).toEqual(['Fingerprints: 2027-02-05', 'Fingerprints: 2027-08-10']);
  });

  it('reports an unknown link', async () => {
    serve({ '/questions': { status: 400, code: 'INVALID_TOKEN' } });
    open('/auth/answer?token=cut');
    await shows(t('answer.invalid'));
  });
});
