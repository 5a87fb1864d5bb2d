import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fail, ok } from '../../../mock/api.ts';
import { Frame } from '../../../mock/Frame.tsx';
import { STORY_MS, stage, t } from '../../../mock/wizardKit.tsx';
import { DocumentFrame } from '../../app/documents/DocumentFrame.tsx';
import { PublicFooter } from '../../app/documents/PublicFooter.tsx';
import { pages } from '../../app/documents/pages.tsx';
import { exchangeFailure, returnText } from '../../parts/account/googleReturn.ts';
import { billingStore } from '../../shared/api/billing.ts';
import { ApiError } from '../../shared/api/errors.ts';
import { type Facts, FactsProvider } from '../../shared/api/facts.tsx';
import { methodsOf, storeMethods } from '../../shared/api/methods.ts';
import { endSession } from '../../shared/api/session.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { CallToAction } from '../site/landing/CallToAction.tsx';
import { HeroIntro } from '../site/landing/HeroIntro.tsx';
import { SignUpCard } from '../site/landing/SignUpCard.tsx';

vi.setConfig({ testTimeout: STORY_MS });

const { login: Login, register: Register } = pages;

/** Renders part of a document for a guest, with these facts of the server. */
function open(facts: Facts, part: React.ReactNode) {
  const staged = stage('lin@example.com');
  endSession();
  staged.sent.length = 0;
  storeMethods(methodsOf(facts));
  render(
    <Frame>
      <FactsProvider facts={facts}>{part}</FactsProvider>
    </Frame>,
  );
  return staged;
}

const type = (key: TextKey, value: string) =>
  fireEvent.change(screen.getByLabelText(t(key), { exact: true, selector: 'input' }), { target: { value } });
const toRegister = () =>
  [...document.querySelectorAll('a')].filter((link) => /^\/auth\/register|#sign-up/.test(link.getAttribute('href') ?? ''));

beforeEach(async () => void (await i18nReady));

afterEach(() => {
  cleanup();
  endSession();
  billingStore.set(true);
  vi.unstubAllGlobals();
});

const modes = [
  ['en', 'invite_only', 'This server takes people by invitation: ask its owner for one.'],
  ['zh', 'invite_only', '本站仅限受邀用户，请向运营者索取邀请。'],
  ['en', 'registration_off', 'Registration is closed on this server.'],
  ['zh', 'registration_off', '本站不开放注册。'],
] as const;

describe.each(modes)('in %s, if registration is %s', (language, fact, sentence) => {
  beforeEach(() => i18next.changeLanguage(language));
  const facts: Facts = { mail: '1', [fact]: '1' };

  it('the registration page shows an explanation in place of its form', () => {
    open(
      facts,
      <DocumentFrame>
        <Register />
      </DocumentFrame>,
    );
    expect(screen.getByText(sentence)).toBeTruthy();
    expect(screen.queryByLabelText(t('auth.email'), { selector: 'input' })).toBeNull();
    expect(screen.getByRole('link', { name: t('auth.goSignIn') }).getAttribute('href')).toBe('/auth/login');
    expect(toRegister()).toEqual([]);
  });

  it('the sign-in page shows an explanation in place of the registration link', () => {
    open(
      facts,
      <DocumentFrame>
        <Login />
      </DocumentFrame>,
    );
    expect(screen.getByText(sentence)).toBeTruthy();
    expect(screen.queryByText(t('auth.noAccount'), { exact: false })).toBeNull();
    expect(toRegister()).toEqual([]);
  });

  it('the landing page links only to the sign-in', () => {
    open(
      facts,
      <>
        <HeroIntro />
        <SignUpCard />
        <CallToAction />
        <PublicFooter />
      </>,
    );
    expect(screen.getAllByText(sentence)).toHaveLength(2);
    expect(toRegister()).toEqual([]);
    expect(screen.queryByText(t('landing.ctaButton'))).toBeNull();
    expect(screen.getAllByRole('link', { name: t('nav.login') }).length).toBeGreaterThan(1);
  });
});

it('with open registration every registration link works', () => {
  open(
    { mail: '1' },
    <>
      <HeroIntro />
      <CallToAction />
      <PublicFooter />
      <Login />
    </>,
  );
  expect(toRegister().length).toBe(4);
  expect(screen.queryByText(t('auth.inviteOnly'))).toBeNull();
});

describe.each(['en', 'zh'])('a registration that was closed after the page opened (%s)', (language) => {
  beforeEach(() => i18next.changeLanguage(language));

  it('is explained in place of the form', async () => {
    const { replies } = open({ mail: '1' }, <Register />);
    replies.set('POST /auth/register', () => fail(403, 'REGISTRATION_CLOSED', 'closed'));
    type('auth.email', 'new@example.com');
    type('auth.password', 'Blue-Kettle-42');
    type('auth.confirmPassword', 'Blue-Kettle-42');
    fireEvent.click(screen.getByRole('button', { name: t('auth.registerButton') }));
    expect(await screen.findByText(t('problem.registrationClosed'), { exact: false })).toBeTruthy();
    expect(screen.queryByLabelText(t('auth.email'), { selector: 'input' })).toBeNull();
  });

  it('is shown as the reason after returning from Google', () => {
    expect(returnText('REGISTRATION_CLOSED').key).toBe('problem.registrationClosed');
    expect(returnText(exchangeFailure(new ApiError('REGISTRATION_CLOSED', 'no', 403))).key).toBe('problem.registrationClosed');
  });

  it('explains the sign-in link to the user of a single-user server', async () => {
    const { replies, calls } = open({ registration_off: '1' }, <p />);
    cleanup();
    replies.set('GET /auth/methods', () =>
      ok({ google: false, mail: false, registration: 'closed', billing: false, link: true }),
    );
    render(
      <Frame>
        <FactsProvider facts={{ registration_off: '1' }}>
          <Login />
        </FactsProvider>
      </Frame>,
    );
    expect((await screen.findByText(t('auth.ownLink'))).textContent).toContain('sooner link');
    expect(calls('GET /auth/methods')).toHaveLength(1);
  });
});

it('does not request whether sign-in links exist if registration is open', async () => {
  const { calls } = open({ mail: '1' }, <Login />);
  await new Promise((done) => setTimeout(done, 50));
  expect(calls('GET /auth/methods')).toEqual([]);
});
