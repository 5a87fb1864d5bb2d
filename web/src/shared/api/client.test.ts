// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { answer, client } from './client.ts';
import { ApiError } from './errors.ts';
import { sessionStore } from './identity.ts';
import { acceptLogin, startSession } from './session.ts';
import { accessToken, loadSession } from './tokens.ts';
import type { LoginAnswer } from './types.ts';

const user = { id: 'u1', username: 'lin@example.com', email: 'lin@example.com' } as LoginAnswer['user'];
const login = { access_token: 'old', refresh_token: 'r1', user };
const reply = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
const good = (data: unknown) => reply(200, { success: true, data, error: null });
const bad = (status: number, code: string) => reply(status, { success: false, data: null, error: { code, message: code } });

/** Simulates a server that accepts one access token at a time and rotates refresh tokens. */
function serve(options: { refresh?: 'ok' | 'refused' | 'offline' } = {}) {
  const seen = { refreshes: 0, calls: 0 };
  vi.stubGlobal('fetch', async ({ url, headers }: Request) => {
    if (url.endsWith('/auth/refresh')) {
      seen.refreshes += 1;
      if (options.refresh === 'offline') throw new TypeError('offline');
      if (options.refresh === 'refused') return bad(401, 'INVALID_REFRESH_TOKEN');
      return good({ access_token: 'new', refresh_token: 'r2' });
    }
    seen.calls += 1;
    if (url.endsWith('/auth/login')) return bad(401, 'INVALID_CREDENTIALS');
    return headers.get('Authorization') === 'Bearer new' ? good({ fine: true }) : bad(401, 'UNAUTHORIZED');
  });
  return seen;
}

describe('a request with an expired token', () => {
  beforeEach(() => acceptLogin(login, true));

  // spec: 7.4.01, 8.1.01
  it('is repeated once after a refresh', async () => {
    const seen = serve();
    await expect(answer(client.GET('/users/credit'))).resolves.toEqual({ fine: true });
    expect(seen).toEqual({ refreshes: 1, calls: 2 });
    expect(loadSession()?.refreshToken).toBe('r2');
  });

  it('shares one refresh with simultaneous requests', async () => {
    const seen = serve();
    await Promise.all([client.GET('/users/credit'), client.GET('/user/profile'), client.GET('/stats')]);
    expect(seen.refreshes).toBe(1);
  });

  // spec: 4.1.03, 8.1.01
  it('ends the session when the refresh token is refused', async () => {
    serve({ refresh: 'refused' });
    await expect(answer(client.GET('/users/credit'))).rejects.toMatchObject({ status: 401 });
    expect(sessionStore.get()).toBeNull();
    expect(accessToken.get()).toBeNull();
  });

  it('keeps the session without a network', async () => {
    serve({ refresh: 'offline' });
    await expect(answer(client.GET('/users/credit'))).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    expect(sessionStore.get()).not.toBeNull();
  });

  it('does not refresh after a wrong password', async () => {
    const seen = serve();
    await expect(client.POST('/auth/login', { body: { username: 'lin@example.com', password: 'wrong' } })).rejects.toBeInstanceOf(
      ApiError,
    );
    expect(seen.refreshes).toBe(0);
  });
});

describe('the stored session', () => {
  // spec: 4.1.04, 4.1.06
  it('follows remember-me, clearing the other storage', () => {
    acceptLogin(login, true);
    expect(localStorage.getItem('sooner.refresh')).toContain('r1');
    acceptLogin({ ...login, refresh_token: 'r2' }, false);
    expect(localStorage.getItem('sooner.refresh')).toBeNull();
    expect(sessionStorage.getItem('sooner.refresh')).toContain('r2');
  });

  // spec: 3.01
  it('is restored at the next start, and is ignored if incomplete', async () => {
    acceptLogin(login, true);
    await startSession();
    expect(sessionStore.get()?.email).toBe('lin@example.com');
  });
});
