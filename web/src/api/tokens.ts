import type { User } from './types.ts';

/** What a browser keeps of a session. `persistent` is the remember-me choice; `expiresAt` (ms) ends a session-only login after 24 h. */
export interface StoredSession {
  refreshToken: string;
  persistent: boolean;
  expiresAt: number | null;
}

const REFRESH = 'sooner.refresh';
const ACCESS = 'sooner.access';
const USER = 'sooner.user';
const SESSION_ONLY_MS = 24 * 60 * 60 * 1000;

function read(storage: Storage, key: string): string | null {
  try {
    return storage.getItem(key);
  } catch {
    return null;
  }
}

function write(storage: Storage, key: string, value: string | null): void {
  try {
    if (value === null) storage.removeItem(key);
    else storage.setItem(key, value);
  } catch {
    // Blocked storage: the session lives as long as the page.
  }
}

function parse<T>(text: string | null): T | null {
  try {
    return text ? (JSON.parse(text) as T) : null;
  } catch {
    return null;
  }
}

/** The refresh token of this tab with its storage rule, or null when there is none or a session-only one is over. */
export function loadSession(nowMs: number): StoredSession | null {
  const session = parse<StoredSession>(read(localStorage, REFRESH)) ?? parse<StoredSession>(read(sessionStorage, REFRESH));
  if (!session?.refreshToken) return null;
  if (session.expiresAt !== null && session.expiresAt <= nowMs) {
    clearSession();
    return null;
  }
  return session;
}

/** Stores a login: persistent storage with remember-me, else session storage; the other one is cleared. */
export function storeLogin(refreshToken: string, remember: boolean, nowMs: number): StoredSession {
  const session = { refreshToken, persistent: remember, expiresAt: remember ? null : nowMs + SESSION_ONLY_MS };
  storeSession(session);
  return session;
}

/** Writes `session` where its rule says and nowhere else. */
export function storeSession(session: StoredSession): void {
  const text = JSON.stringify(session);
  write(localStorage, REFRESH, session.persistent ? text : null);
  write(sessionStorage, REFRESH, session.persistent ? null : text);
}

/** Forgets everything of the session, in both storages. */
export function clearSession(): void {
  for (const storage of [localStorage, sessionStorage]) for (const key of [REFRESH, ACCESS, USER]) write(storage, key, null);
}

/** The bearer token, shared by all tabs. */
export const accessToken = {
  get: () => read(localStorage, ACCESS),
  set: (token: string) => write(localStorage, ACCESS, token),
};

/** Who is signed in, as last seen (id, username, email). */
export const storedUser = {
  get: () => parse<Pick<User, 'id' | 'username' | 'email'>>(read(localStorage, USER)),
  set: (user: Pick<User, 'id' | 'username' | 'email'>) =>
    write(localStorage, USER, JSON.stringify({ id: user.id, username: user.username, email: user.email })),
};
