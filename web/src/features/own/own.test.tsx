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
  const view = renderRoutes({ '/auth/link': LinkCard, '/auth/invitation': InvitationCard, '/dashboard': () => <p>my tasks</p> }, [
    address,
  ]);
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
