import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fail, ok } from '../../../mock/api.ts';
import { press, renderRoutes, STORY_MS, stage, t } from '../../../mock/wizardKit.tsx';
import { StepUpGate } from '../../parts/stepUp/StepUpGate.tsx';
import { answer, client } from '../../shared/api/client.ts';
import { sessionStore } from '../../shared/api/identity.ts';
import { queryClient } from '../../shared/api/queries.ts';
import { acceptLogin, endSession } from '../../shared/api/session.ts';
import type { LoginAnswer } from '../../shared/api/types.ts';
import { popPageMessage } from '../../shared/browser/pageMessage.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { InvitationCard } from './InvitationCard.tsx';
import { LinkCard } from './LinkCard.tsx';
import { SignInLinkCard } from './SignInLinkCard.tsx';

vi.setConfig({ testTimeout: STORY_MS });

const GOOD = 'Blue-Kettle-42';

/**
 * Opens an address as a guest on the fake backend. Each call uses another token, because a page
 * exchanges each token only once.
 */
let turn = 0;
function open(address: string) {
  const staged = stage('lin@example.com');
  endSession();
  staged.sent.length = 0;
  turn += 1;
  const begun = `bootstrap-${turn}`;
  staged.replies.set('POST /auth/link', (body) =>
    String(body.token).startsWith('good') ? (ok({ refresh_token: begun }) as never) : null,
  );
  staged.replies.set('POST /auth/invitation', (body) =>
    String(body.token).startsWith('good') ? (ok({ refresh_token: begun }) as never) : null,
  );
  staged.replies.set('POST /auth/sign-in-link/use', (body) =>
    String(body.token).startsWith('good') || body.code === 'k7wd-3hqn'
      ? (ok({ refresh_token: begun, remembered: true, first_proof: String(body.token).endsWith('first') }) as never)
      : null,
  );
  const pages = {
    '/auth/link': LinkCard,
    '/auth/invitation': InvitationCard,
    '/auth/sign-in': SignInLinkCard,
    '/dashboard': () => <p>my tasks</p>,
  };
  const view = renderRoutes(pages, [address]);
  return { ...staged, ...view, begun };
}

const type = (key: TextKey, value: string) => {
  const field = screen.getByLabelText(t(key), { exact: true, selector: 'input' });
  fireEvent.change(field, { target: { value } });
  fireEvent.blur(field);
};
const choosePassword = (password: string) => {
  type('auth.password', password);
  type('auth.confirmPassword', password);
  press('own.invitationButton');
};

beforeEach(async () => {
  await i18nReady;
  queryClient.clear();
});

afterEach(() => {
  cleanup();
  endSession();
  vi.unstubAllGlobals();
});

describe.each(['en', 'zh'])('a sign-in link (%s)', (language) => {
  beforeEach(() => i18next.changeLanguage(language));

  it('signs in only on a press, and opens the dashboard', async () => {
    const { sent, calls, router, begun } = open('/auth/link?token=good-1');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(t('own.linkTitle'));
    await act(() => new Promise((done) => setTimeout(done, 50)));
    expect(sent).toEqual([]);
    press('own.signIn');
    await screen.findByText('my tasks');
    expect(calls('POST /auth/link').map(({ body }) => body)).toEqual([{ token: 'good-1' }]);
    expect(calls('POST /auth/refresh').map(({ body }) => body)).toEqual([{ refresh_token: begun }]);
    expect(sessionStore.get()?.email).toBe('lin@example.com');
    expect(router.state.location).toMatchObject({ pathname: '/dashboard', search: '' });
  });

  it.each(['used', 'expired'])('that is %s explains how to create another', async (token) => {
    open(`/auth/link?token=${token}`);
    press('own.signIn');
    expect(await screen.findByText(t('own.linkOver'))).toBeTruthy();
    expect(screen.getByText(t('own.linkAgain')).textContent).toContain('sooner link');
    expect(screen.queryByText(t('own.signIn'))).toBeNull();
    expect(sessionStore.get()).toBeNull();
  });

  it('without a token cannot be used; after a network failure the press can be repeated', async () => {
    open('/auth/link');
    expect(screen.getByText(t('own.linkMissing'))).toBeTruthy();
    expect(screen.queryByText(t('own.signIn'))).toBeNull();
    cleanup();
    const { replies } = open('/auth/link?token=good-2');
    replies.set('POST /auth/link', () => 'no network');
    press('own.signIn');
    expect(await screen.findByText(t('problem.network'))).toBeTruthy();
    expect(screen.getByText(t('own.signIn'))).toBeTruthy();
  });
});

describe.each(['en', 'zh'])('a mailed sign-in link (%s)', (language) => {
  beforeEach(() => i18next.changeLanguage(language));

  // spec: 10.7.105
  it('signs in only on a press, in the browser that asked', async () => {
    const { sent, calls, begun } = open('/auth/sign-in?token=good-1');
    const button = await screen.findByRole('button', { name: t('signInLink.openTitle') });
    expect(sent.map(({ call }) => call.split('?')[0])).toEqual(['GET /auth/sign-in-link']);
    fireEvent.click(button);
    await screen.findByText('my tasks');
    expect(calls('POST /auth/sign-in-link/use').map(({ body }) => body)).toEqual([{ token: 'good-1' }]);
    expect(calls('POST /auth/refresh').map(({ body }) => body)).toEqual([{ refresh_token: begun }]);
    expect(popPageMessage()).toBeNull();
  });

  // spec: 10.7.106
  it('says that the password was removed if it verified the address first', async () => {
    open('/auth/sign-in?token=good-first');
    fireEvent.click(await screen.findByRole('button', { name: t('signInLink.openTitle') }));
    await screen.findByText('my tasks');
    expect(popPageMessage()).toEqual({ greeting: 'passwordRemoved' });
  });

  it('shows only a code in another browser', async () => {
    open('/auth/sign-in?token=other-1');
    expect(await screen.findByText('k7wd-3hqn')).toBeTruthy();
    expect(screen.getByText(t('signInLink.codeWarning'))).toBeTruthy();
    expect(screen.queryByRole('button', { name: t('signInLink.openTitle') })).toBeNull();
  });

  it.each(['?token=used', '?token=expired', '?token='])('that does not work offers another (%s)', async (query) => {
    open(`/auth/sign-in${query}`);
    expect(await screen.findByText(t(query === '?token=' ? 'signInLink.missing' : 'signInLink.over'))).toBeTruthy();
    expect(screen.getByRole('link', { name: t('signInLink.newLink') }).getAttribute('href')).toBe('/auth/sign-in');
  });

  it('asks for the code of the second factor', async () => {
    const { replies, calls } = open('/auth/sign-in?token=good-2');
    let right = false;
    replies.set('POST /auth/refresh', (body) => {
      right = body.totp_code === '123456';
      return right ? null : (fail(401, body.totp_code ? 'TOTP_INVALID' : 'TOTP_REQUIRED', 'code') as never);
    });
    fireEvent.click(await screen.findByRole('button', { name: t('signInLink.openTitle') }));
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBeTruthy();
    await screen.findByLabelText(t('auth.totpCode'));
    type('auth.totpCode', '111111');
    press('auth.totpButton');
    await screen.findByText(t('problem.totpWrong'));
    type('auth.totpCode', '123456');
    press('auth.totpButton');
    await screen.findByText('my tasks');
    expect(right).toBe(true);
    expect(calls('POST /auth/sign-in-link/use')).toHaveLength(1);
  });

  it('is requested with an address; its code signs in, a wrong code is said at the field', async () => {
    const { calls, replies } = open('/auth/sign-in');
    press('signInLink.button');
    expect(await screen.findByText(t('auth.emailRequired'))).toBeTruthy();
    type('auth.email', 'lin@example.com');
    replies.set('POST /auth/sign-in-link', () => 'no network');
    press('signInLink.button');
    expect(await screen.findByText(t('problem.network'))).toBeTruthy();
    replies.delete('POST /auth/sign-in-link');
    press('signInLink.button');
    expect(await screen.findByText(t('signInLink.sentTitle'))).toBeTruthy();
    expect(calls('POST /auth/sign-in-link').at(-1)?.body).toEqual({ email: 'lin@example.com', rememberMe: false });
    press('signInLink.useCode');
    expect(await screen.findByText(t('signInLink.codeRequired'))).toBeTruthy();
    type('signInLink.code', 'aaaa-aaaa');
    press('signInLink.useCode');
    expect(await screen.findByText(t('signInLink.codeWrong'))).toBeTruthy();
    type('signInLink.code', 'k7wd-3hqn');
    press('signInLink.useCode');
    await screen.findByText('my tasks');
    expect(sessionStore.get()?.email).toBeTruthy();
  });
});

describe.each(['en', 'zh'] as const)('an invitation (%s)', (language) => {
  beforeEach(() => i18next.changeLanguage(language));

  it('shows its address, accepts a password and signs in', async () => {
    const { sent, calls, begun } = open('/auth/invitation?token=good-3');
    expect(await screen.findByDisplayValue('mother@example.com')).toBeTruthy();
    expect(sent.map(({ call }) => call.split('?')[0])).toEqual(['GET /auth/invitation']);
    choosePassword(GOOD);
    await screen.findByText('my tasks');
    expect(calls('POST /auth/invitation')[0]?.body).toEqual({ token: 'good-3', password: GOOD, language });
    expect(calls('POST /auth/refresh')[0]?.body).toEqual({ refresh_token: begun });
    expect(sessionStore.get()).not.toBeNull();
  });

  it.each([
    ['expired', 'own.invitationExpired'],
    ['used', 'own.invitationUsed'],
  ] as const)('that is %s states it, and links to the sign-in', async (token, textKey) => {
    open(`/auth/invitation?token=${token}`);
    expect(await screen.findByText(t(textKey))).toBeTruthy();
    expect(screen.getByRole('link', { name: t('auth.goSignIn') }).getAttribute('href')).toBe('/auth/login');
    expect(screen.queryByText(t('own.invitationButton'))).toBeNull();
  });

  it('that was used after the page opened states it in place of the form', async () => {
    const { replies } = open('/auth/invitation?token=good-4');
    await screen.findByDisplayValue('mother@example.com');
    replies.set('POST /auth/invitation', () => fail(410, 'INVALID_TOKEN', 'used'));
    choosePassword(GOOD);
    expect(await screen.findByText(t('own.invitationUsed'))).toBeTruthy();
  });

  it('refuses a weak password, in the form and on the server', async () => {
    const { calls } = open('/auth/invitation?token=weak');
    await screen.findByDisplayValue('mother@example.com');
    choosePassword('short');
    expect(await screen.findByText(t('auth.passwordShort'))).toBeTruthy();
    expect(calls('POST /auth/invitation')).toEqual([]);
    choosePassword(GOOD);
    await waitFor(() => expect(calls('POST /auth/invitation')).toHaveLength(1));
    expect((await screen.findAllByText(t('auth.passwordCommon'))).length).toBeGreaterThan(0);
    expect(sessionStore.get()).toBeNull();
  });

  it('whose sign-in fails states that the account exists, and passes the address to the sign-in page', async () => {
    const { replies } = open('/auth/invitation?token=good-5');
    await screen.findByDisplayValue('mother@example.com');
    replies.set('POST /auth/refresh', () => fail(401, 'INVALID_REFRESH_TOKEN', 'late'));
    choosePassword(GOOD);
    expect(await screen.findByText(t('own.made'))).toBeTruthy();
    fireEvent.click(screen.getByRole('link', { name: t('auth.goSignIn') }));
    expect(popPageMessage()).toEqual({ email: 'mother@example.com' });
  });

  it('is refused to a user who is signed in with another account', async () => {
    const { calls } = open('/auth/invitation?token=good-6');
    act(() =>
      acceptLogin(
        { access_token: 'a', refresh_token: 'r', user: { id: 'u1', username: 'l', email: 'lin@example.com' } } as LoginAnswer,
        false,
      ),
    );
    expect(await screen.findByText(t('own.otherAccount', { email: 'mother@example.com', own: 'lin@example.com' }))).toBeTruthy();
    expect(screen.queryByText(t('own.invitationButton'))).toBeNull();
    press('nav.logout');
    expect(await screen.findByText(t('own.invitationButton'))).toBeTruthy();
    expect(calls('POST /auth/invitation')).toEqual([]);
  });
});

describe.each(['en', 'zh'])('a proof by a sign-in link (%s)', (language) => {
  beforeEach(() => i18next.changeLanguage(language));

  /** Sends a request that needs a proof of identity, on a server with sign-in links. */
  function ask(email: string) {
    const { world, calls } = stage(email);
    world.methods = { ...world.methods, link: true };
    renderRoutes({ '/': StepUpGate }, ['/']);
    const asked = answer(client.POST('/user/totp'));
    asked.catch(() => undefined);
    return { asked, calls };
  }

  it('shows which command to run, and continues after a new sign-in', async () => {
    const { asked, calls } = ask('owner@example.com');
    expect((await screen.findByText(t('stepUp.link'))).textContent).toMatch(/sooner link.*5/);
    expect(screen.queryByLabelText(t('auth.password'), { selector: 'input' })).toBeNull();
    await answer(client.POST('/auth/link', { body: { token: 'good' } }));
    press('stepUp.linkDone');
    expect(await asked).toHaveProperty('secret');
    expect(calls('POST /user/totp')).toHaveLength(2);
  });

  it('that is not given leaves the request refused', async () => {
    const { asked } = ask('owner@example.com');
    await screen.findByText(t('stepUp.link'));
    press('stepUp.linkDone');
    await expect(asked).rejects.toMatchObject({ code: 'STEP_UP_REQUIRED' });
  });

  it('is offered besides the password if there is one', async () => {
    const { asked } = ask('lin@example.com');
    expect(await screen.findByText(t('stepUp.orLink'))).toBeTruthy();
    expect(screen.getByLabelText(t('auth.password'), { exact: true, selector: 'input' })).toBeTruthy();
    press('settings.cancel');
    await expect(asked).rejects.toMatchObject({ code: 'STEP_UP_DECLINED' });
  });
});
