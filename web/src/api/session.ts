import { ApiError, NETWORK_ERROR } from './errors.ts';
import { withTabLock } from './lock.ts';
import { accessToken, clearSession, loadSession, type StoredSession, storedUser, storeLogin, storeSession } from './tokens.ts';
import type { LoginAnswer, RefreshAnswer, User } from './types.ts';

type Identity = Pick<User, 'id' | 'username' | 'email'>;
type Message = { kind: 'ask' } | { kind: 'session'; session: StoredSession } | { kind: 'logout' } | { kind: 'login' };

const REFRESH_EVERY_MS = 10 * 60 * 1000;
const ASK_WAIT_MS = 250;

let identity: Identity | null = null;
const listeners = new Set<() => void>();
const logoutHooks = new Set<() => void>();
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('sooner.session');

function emit(next: Identity | null): void {
  identity = next;
  for (const listener of listeners) listener();
}

function forget(): void {
  clearSession();
  for (const hook of logoutHooks) hook();
  emit(null);
}

/** The signed-in person, for `useSyncExternalStore`; null for a guest. */
export const sessionStore = {
  get: () => identity,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Registers what else must be forgotten at sign-out (caches). */
export function onLogout(hook: () => void): void {
  logoutHooks.add(hook);
}

/** Takes over a login's answer; `remember` chooses the storage. */
export function acceptLogin(answer: LoginAnswer, remember: boolean): void {
  storeLogin(answer.refresh_token, remember, Date.now());
  accessToken.set(answer.access_token);
  storedUser.set(answer.user);
  emit({ id: answer.user.id, username: answer.user.username, email: answer.user.email });
  const session = loadSession(Date.now());
  if (session) channel?.postMessage({ kind: 'session', session } satisfies Message);
  channel?.postMessage({ kind: 'login' } satisfies Message);
}

/** Ends the session in this browser, all tabs. */
export function endSession(): void {
  forget();
  channel?.postMessage({ kind: 'logout' } satisfies Message);
}

async function requestRefresh(refreshToken: string): Promise<RefreshAnswer> {
  let response: Response;
  try {
    response = await fetch('/api/v1/auth/refresh', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ refresh_token: refreshToken }),
    });
  } catch {
    throw new ApiError(NETWORK_ERROR, 'Network error', 0);
  }
  const body = (await response.json().catch(() => null)) as {
    success?: boolean;
    data?: RefreshAnswer;
    error?: { code: string; message: string };
  } | null;
  if (response.ok && body?.success && body.data) return body.data;
  throw new ApiError(body?.error?.code ?? 'HTTP_ERROR', body?.error?.message ?? response.statusText, response.status);
}

/**
 * Gets a new access token, once across all tabs; true when there is a fresher one than `stale`.
 * A refused refresh token ends the session; a lost connection does not.
 */
export async function refreshSession(stale: string | null): Promise<boolean> {
  return withTabLock('sooner.refresh', async () => {
    const current = accessToken.get();
    if (stale !== null && current && current !== stale) return true;
    const session = loadSession(Date.now()) ?? (await askOtherTabs());
    if (!session) {
      forget();
      return false;
    }
    try {
      const answer = await requestRefresh(session.refreshToken);
      const next = { ...session, refreshToken: answer.refresh_token };
      storeSession(next);
      accessToken.set(answer.access_token);
      channel?.postMessage({ kind: 'session', session: next } satisfies Message);
      return true;
    } catch (error) {
      if (error instanceof ApiError && (error.status === 401 || error.status === 403)) {
        endSession();
        return false;
      }
      throw error;
    }
  });
}

function askOtherTabs(): Promise<StoredSession | null> {
  if (!channel) return Promise.resolve(null);
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish(null), ASK_WAIT_MS);
    const onMessage = (event: MessageEvent<Message>) => {
      if (event.data.kind === 'session') finish(event.data.session);
    };
    const finish = (session: StoredSession | null) => {
      clearTimeout(timer);
      channel.removeEventListener('message', onMessage);
      if (session) storeSession(session);
      resolve(session);
    };
    channel.addEventListener('message', onMessage);
    channel.postMessage({ kind: 'ask' } satisfies Message);
  });
}

function onMessage(event: MessageEvent<Message>): void {
  const message = event.data;
  if (message.kind === 'ask') {
    const session = loadSession(Date.now());
    if (session) channel?.postMessage({ kind: 'session', session } satisfies Message);
  } else if (message.kind === 'session') {
    storeSession(message.session);
  } else if (message.kind === 'logout') {
    forget();
  } else {
    emit(storedUser.get());
  }
}

/** Restores the session of this browser before the first route is matched, and keeps it fresh every 10 minutes. */
export async function startSession(): Promise<void> {
  channel?.addEventListener('message', onMessage);
  const session = loadSession(Date.now()) ?? (accessToken.get() ? await askOtherTabs() : null);
  const known = storedUser.get();
  if (session && known) emit(known);
  else clearSession();
  setInterval(() => {
    if (identity) refreshSession(null).catch(() => undefined);
  }, REFRESH_EVERY_MS);
}
