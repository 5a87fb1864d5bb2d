import type { User } from './types.ts';

/**
 * Part of the signed-in user that a browser stores. Data stored by older versions has no display
 * name.
 */
export type Identity = Pick<User, 'id' | 'username' | 'email'> & Partial<Pick<User, 'display_name'>>;

/** Returns the part of a user that a browser stores. */
export const identityOf = ({ id, username, email, display_name = null }: Identity): Identity => ({
  id,
  username,
  email,
  display_name,
});

/**
 * Session as a browser stores it. `persistent` is the user's choice of *remember me*. `expiresAt`
 * is the expiry of a session without it, in ms by this device's clock. `family` identifies the
 * session, and `turn` counts its refreshes.
 */
export interface StoredSession {
  refreshToken: string;
  persistent: boolean;
  expiresAt: number | null;
  family: string;
  turn: number;
  user: Identity;
}

/**
 * Latest refresh of the session in any tab: its number (`turn`) and its time in ms. It is no
 * secret, so all tabs share it.
 */
interface RotationState {
  family: string;
  turn: number;
  at: number;
}

const REFRESH_KEY = 'sooner.refresh';
const ACCESS_KEY = 'sooner.access';
const USER_KEY = 'sooner.user';
const ROTATION_KEY = 'sooner.turn';
const SESSION_ONLY_MS = 24 * 60 * 60 * 1000;

type StorageName = 'localStorage' | 'sessionStorage';
/** Values that the browser refused to store. They exist until the page closes. */
const memoryCopies = new Map<string, string>();

/** Reads a stored text. If storage is blocked, it reads the copy in this page's memory. */
function read(storage: StorageName, key: string): string | null {
  try {
    return memoryCopies.get(`${storage}.${key}`) ?? window[storage].getItem(key);
  } catch {
    return null;
  }
}

function write(storage: StorageName, key: string, value: string | null): void {
  memoryCopies.delete(`${storage}.${key}`);
  try {
    if (value === null) window[storage].removeItem(key);
    else window[storage].setItem(key, value);
  } catch {
    if (value !== null) memoryCopies.set(`${storage}.${key}`, value);
  }
}

function parseJson<T>(text: string | null): T | null {
  try {
    return text ? (JSON.parse(text) as T) : null;
  } catch {
    return null;
  }
}

/** Returns whether browser storage works, so that other tabs can read the values of this tab. */
export function storageWorks(): boolean {
  try {
    window.localStorage.setItem('sooner.probe', '1');
    window.localStorage.removeItem('sooner.probe');
    return true;
  } catch {
    return false;
  }
}

/** Returns the session stored for this tab, which may have expired, or null. */
export function loadSession(): StoredSession | null {
  const session =
    parseJson<Partial<StoredSession>>(read('localStorage', REFRESH_KEY)) ??
    parseJson<Partial<StoredSession>>(read('sessionStorage', REFRESH_KEY));
  const user = session?.user ?? storedUser.get();
  if (!session?.refreshToken || !user) return null;
  const { refreshToken, persistent = false, expiresAt = null, family = '', turn = 0 } = session;
  return { refreshToken, persistent, expiresAt, family, turn, user };
}

/**
 * Returns whether a session without *remember me* has expired by this device's clock. The clock may
 * be wrong, so the server decides.
 */
export function isExpired(session: StoredSession, nowMs: number): boolean {
  return session.expiresAt !== null && session.expiresAt <= nowMs;
}

/**
 * Returns the expiry of a session without *remember me* that is valid now. Returns null for a
 * persistent session.
 */
export function sessionOnlyExpiry(persistent: boolean, nowMs: number): number | null {
  return persistent ? null : nowMs + SESSION_ONLY_MS;
}

/**
 * Stores `session` only in the storage that `persistent` selects. Shares its turn with all tabs.
 */
export function storeSession(session: StoredSession, atMs: number): void {
  const text = JSON.stringify(session);
  write('localStorage', REFRESH_KEY, session.persistent ? text : null);
  write('sessionStorage', REFRESH_KEY, session.persistent ? null : text);
  storedUser.set(session.user);
  write(
    'localStorage',
    ROTATION_KEY,
    JSON.stringify({ family: session.family, turn: session.turn, at: atMs } satisfies RotationState),
  );
}

/** Returns the latest turn that any tab has stored. */
export function sharedRotation(): RotationState | null {
  return parseJson<RotationState>(read('localStorage', ROTATION_KEY));
}

/** Deletes the refresh token in this tab's sessionStorage. Data that other tabs use stays. */
export function dropTabSession(): void {
  write('sessionStorage', REFRESH_KEY, null);
}

/** Deletes all session data, in both storages. */
export function clearSession(): void {
  write('sessionStorage', REFRESH_KEY, null);
  for (const key of [REFRESH_KEY, ACCESS_KEY, USER_KEY, ROTATION_KEY]) write('localStorage', key, null);
}

/** Access token, shared by all tabs. */
export const accessToken = {
  get: () => read('localStorage', ACCESS_KEY),
  set: (token: string) => write('localStorage', ACCESS_KEY, token),
};

/** Stored identity of the user who signed in last. */
const storedUser = {
  get: () => parseJson<Identity>(read('localStorage', USER_KEY)),
  set: (user: Identity) => write('localStorage', USER_KEY, JSON.stringify(identityOf(user))),
};
