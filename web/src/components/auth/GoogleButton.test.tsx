import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { i18nReady } from '../../i18n/i18n.ts';
import { readDeparture } from '../../lib/googleSignIn.ts';
import { GoogleButton } from './GoogleButton.tsx';

const offer = vi.hoisted(() => ({ google: false, mail: true }));
vi.mock('../../api/methods.ts', () => ({ useMethods: () => offer }));

const answer = (data: unknown) => new Response(JSON.stringify({ success: true, data, error: null }));

/** The button on a server that offers Google or does not. */
function open(offered: boolean, address: unknown, agent = 'Mozilla/5.0') {
  const sent: unknown[] = [];
  offer.google = offered;
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    sent.push(JSON.parse(String(init.body)));
    return answer({ auth_url: address, state: 's' });
  });
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent);
  const assign = vi.fn();
  vi.stubGlobal('location', { ...window.location, assign });
  render(<GoogleButton disabled={false} rememberMe={() => true} />);
  return { sent, assign };
}

describe('the way in by Google', () => {
  beforeEach(async () => {
    await i18nReady;
    await i18next.changeLanguage('en');
  });

  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it('is not shown where the server does not offer it', async () => {
    open(false, null);
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('leaves for Google, with remember-me as it is at that moment', async () => {
    const { sent, assign } = open(true, 'https://accounts.example.com/auth?x=1');
    fireEvent.click(screen.getByRole('button', { name: 'Sign in with Google' }));
    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://accounts.example.com/auth?x=1'));
    expect(sent).toEqual([{ language: 'en', purpose: 'sign_in', rememberMe: true }]);
    expect(readDeparture()).toEqual({ purpose: 'sign_in', rememberMe: true, returnTo: null });
    expect(screen.getByRole('button')).toHaveProperty('disabled', true);
  });

  for (const address of [null, '', 'javascript:alert(1)', '/nowhere'])
    it(`does not follow ${JSON.stringify(address)}`, async () => {
      const { assign } = open(true, address);
      fireEvent.click(screen.getByRole('button', { name: 'Sign in with Google' }));
      await waitFor(() => expect(screen.getByText(/Failed to get Google OAuth URL/)).toBeTruthy());
      expect(assign).not.toHaveBeenCalled();
    });

  it('says in WeChat that another browser is needed', async () => {
    open(true, null, 'Mozilla/5.0 MicroMessenger/8.0');
    expect(screen.queryByRole('button')).toBeNull();
    expect(screen.getByText(/Open in browser/)).toBeTruthy();
  });
});
