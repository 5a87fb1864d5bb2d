import type { User } from './types.ts';

/** The signed-in user, as far as a browser stores it. Data of an older page has no name. */
export type Identity = Pick<User, 'id' | 'username' | 'email'> & Partial<Pick<User, 'display_name'>>;

/** Returns the part of a user that a browser stores. */
export const identityOf = ({ id, username, email, display_name = null }: Identity): Identity => ({
  id,
  username,
  email,
  display_name,
});

/**
 * Session data in a browser. `persistent` is the remember-me choice; `expiresAt` (ms, this device's
 * clock) is the end of a session-only one; `family` names the session, `turn` counts its refreshes.
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
 * The newest turn of any tab, and its time (ms). It is no secret, so all tabs share it whatever the
 * storage rule.
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
/** Values that the browser's storage refused. They live as long as the page. */
const memoryCopies = new Map<string, string>();

/** Reads a stored text. Blocked storage throws even on access; then this page's memory answers. */
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

/** Returns whether other tabs can read what this one stores. */
export function storageWorks(): boolean {
  try {
    window.localStorage.setItem('sooner.probe', '1');
    window.localStorage.removeItem('sooner.probe');
    return true;
  } catch {
    return false;
  }
}

/** Returns the session that this tab knows, or null. `isOver` checks whether it has expired. */
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
 * Returns whether a session-only sign-in has expired by this device's clock. The clock may be
 * wrong; the server decides.
 */
export function isExpired(session: StoredSession, nowMs: number): boolean {
  return session.expiresAt !== null && session.expiresAt <= nowMs;
}

/** Returns the latest end of a session-only sign-in that is valid now. */
export function sessionOnlyExpiry(persistent: boolean, nowMs: number): number | null {
  return persistent ? null : nowMs + SESSION_ONLY_MS;
}

/**
 * Writes `session` to the storage that its rule names and nowhere else, and shares its turn with
 * all tabs.
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

/** Returns the newest turn stored by any tab. */
export function sharedRotation(): RotationState | null {
  return parseJson<RotationState>(read('localStorage', ROTATION_KEY));
}

/** Deletes this tab's copy of a session-only refresh token, and nothing that other tabs use. */
export function dropTabSession(): void {
  write('sessionStorage', REFRESH_KEY, null);
}

/** Deletes all session data, in both storages. */
export function clearSession(): void {
  write('sessionStorage', REFRESH_KEY, null);
  for (const key of [REFRESH_KEY, ACCESS_KEY, USER_KEY, ROTATION_KEY]) write('localStorage', key, null);
}

/** The bearer token, shared by all tabs. */
export const accessToken = {
  get: () => read('localStorage', ACCESS_KEY),
  set: (token: string) => write('localStorage', ACCESS_KEY, token),
};

/** The last known signed-in user. */
const storedUser = {
  get: () => parseJson<Identity>(read('localStorage', USER_KEY)),
  set: (user: Identity) => write('localStorage', USER_KEY, JSON.stringify(identityOf(user))),
};
