import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Frame } from '../../../mock/Frame.tsx';
import { RegisterPage } from '../../features/auth/RegisterPage.tsx';
import { AppUiTexts } from '../../shared/i18n/AppUiTexts.tsx';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { GoogleButton } from './GoogleButton.tsx';
import { readGoogleRequest } from './googleSignIn.ts';

const offer = vi.hoisted(() => ({ google: false, mail: true }));
vi.mock('../../shared/api/methods.ts', () => ({ useMethods: () => offer }));

const answer = (data: unknown) => new Response(JSON.stringify({ success: true, data, error: null }));

/** Renders the button on a server with or without Google. */
function open(
  offered: boolean,
  address: unknown,
  agent = 'Mozilla/5.0',
  page = <GoogleButton disabled={false} rememberMe={() => true} />,
) {
  const sent: unknown[] = [];
  offer.google = offered;
  vi.stubGlobal('fetch', async (request: Request) => {
    sent.push(await request.json());
    return answer({ auth_url: address, state: 's' });
  });
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent);
  const assign = vi.fn();
  vi.stubGlobal('location', { ...window.location, assign });
  render(<AppUiTexts>{page}</AppUiTexts>);
  return { sent, assign };
}

describe('the sign-in with Google', () => {
  beforeEach(async () => {
    await i18nReady;
    await i18next.changeLanguage('en');
  });

  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it('is not shown if the server does not offer it', async () => {
    open(false, null);
    expect(screen.queryByRole('button')).toBeNull();
  });

  // spec: 2.2.19, 2.3.02, 2.4.04, 7.1.04
  it('opens Google, with the present remember-me', async () => {
    const { sent, assign } = open(true, 'https://accounts.example.com/auth?x=1');
    fireEvent.click(screen.getByRole('button', { name: 'Sign in with Google' }));
    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://accounts.example.com/auth?x=1'));
    expect(sent).toEqual([{ language: 'en', purpose: 'sign_in', rememberMe: true }]);
    expect(readGoogleRequest()).toEqual({ purpose: 'sign_in', rememberMe: true, returnTo: null });
    expect(screen.getByRole('button')).toHaveProperty('disabled', true);
  });

  // spec: 8.1.09
  for (const address of [null, '', 'javascript:alert(1)', '/nowhere'])
    it(`does not follow ${JSON.stringify(address)}`, async () => {
      const { assign } = open(true, address);
      fireEvent.click(screen.getByRole('button', { name: 'Sign in with Google' }));
      await waitFor(() => expect(screen.getByText(/Failed to get Google OAuth URL/)).toBeTruthy());
      expect(assign).not.toHaveBeenCalled();
    });

  // spec: 2.3.02
  it.each([
    ['en', 'Sign in with Google'],
    ['zh', '使用 Google 账号登录'],
  ])('is on the registration page in %s', async (language, text) => {
    await i18next.changeLanguage(language);
    const page = (
      <Frame>
        <MemoryRouter>
          <RegisterPage />
        </MemoryRouter>
      </Frame>
    );
    const { sent, assign } = open(true, 'https://accounts.example.com/auth?x=1', 'Mozilla/5.0', page);
    fireEvent.click(screen.getByRole('button', { name: text }));
    await waitFor(() => expect(assign).toHaveBeenCalled());
    expect(sent).toEqual([{ language, purpose: 'sign_in', rememberMe: false }]);
  });

  // spec: 8.1.10
  it.each([
    ['en', 'Google login failed'],
    ['zh', 'Google 登录失败'],
  ])('reports in %s that the login failed', async (language, text) => {
    await i18next.changeLanguage(language);
    const { assign } = open(true, null);
    vi.stubGlobal('fetch', async () => new Response('', { status: 502 }));
    fireEvent.click(screen.getByRole('button'));
    expect(await screen.findByText(text)).toBeTruthy();
    expect(assign).not.toHaveBeenCalled();
    expect(screen.getByRole('button')).toHaveProperty('disabled', false);
  });

  it('states in WeChat that another browser is needed', async () => {
    open(true, null, 'Mozilla/5.0 MicroMessenger/8.0');
    expect(screen.queryByRole('button')).toBeNull();
    expect(screen.getByText(/Open in browser/)).toBeTruthy();
  });
});
