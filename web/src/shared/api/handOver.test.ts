// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { popHandedOverSession, reloadWithSession } from './handOver.ts';
import { sessionStore } from './identity.ts';
import { acceptLogin, startSession } from './session.ts';
import { clearSession } from './tokens.ts';
import type { LoginAnswer } from './types.ts';

const login = {
  access_token: 'a',
  refresh_token: 'r',
  user: { id: 'u1', username: 'lin', email: 'lin@example.com' },
} as LoginAnswer;
const reload = vi.fn();

/** Simulates a browser with blocked storage: even access to the storage throws. */
function blockStorage(): void {
  for (const name of ['localStorage', 'sessionStorage'] as const)
    vi.spyOn(window, name, 'get').mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError');
    });
}

beforeEach(() => {
  vi.stubGlobal('location', { ...window.location, reload });
  window.history.replaceState(null, '', '/auth/login');
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  reload.mockClear();
  clearSession();
  window.history.replaceState(null, '', '/');
});

it('passes the session to the next page in its history entry if storage is blocked', () => {
  blockStorage();
  acceptLogin(login, false);
  expect(reloadWithSession('/settings')).toBe(true);
  expect(reload).toHaveBeenCalledOnce();
  expect(window.name).toBe('');
  expect(popHandedOverSession()).toMatchObject({ access: 'a', session: { refreshToken: 'r' } });
  expect(JSON.stringify(window.history.state)).not.toContain('"r"');
  expect(popHandedOverSession()).toBeNull();
});

it('passes no session on if the browser can store it, or if there is none', () => {
  acceptLogin(login, false);
  expect(reloadWithSession('/settings')).toBe(false);
  clearSession();
  blockStorage();
  expect(reloadWithSession('/settings')).toBe(false);
  expect(reload).not.toHaveBeenCalled();
  expect(window.history.state).toBeNull();
});

it('accepts no session in a tab whose window name another site has set', async () => {
  sessionStore.set(null);
  const session = { refreshToken: 'theirs', persistent: false, expiresAt: null, family: 'f', turn: 0, user: login.user };
  window.name = `sooner.session:${JSON.stringify({ session, access: 'theirs' })}`;
  await startSession();
  expect(sessionStore.get()).toBeNull();
  window.name = '';
});
