import type { User } from './types.ts';

/** Who is signed in, as far as a browser remembers it; what an older page stored has no name. */
export type Identity = Pick<User, 'id' | 'username' | 'email'> & Partial<Pick<User, 'display_name'>>;

/** What of a user a browser remembers. */
export const identityOf = ({ id, username, email, display_name = null }: Identity): Identity => ({
  id,
  username,
  email,
  display_name,
});

/**
 * What a browser keeps of a sign-in. `persistent` is the remember-me choice; `expiresAt` (ms, this device's clock) is
 * when a session-only one is due to be over; `family` names the sign-in, `turn` counts its refreshes.
 */
export interface StoredSession {
  refreshToken: string;
  persistent: boolean;
  expiresAt: number | null;
  family: string;
  turn: number;
  user: Identity;
}

/** The newest turn any tab has reached, when (ms). No secret: it is shared by all tabs whatever the storage rule. */
interface Turn {
  family: string;
  turn: number;
  at: number;
}

const REFRESH = 'sooner.refresh';
const ACCESS = 'sooner.access';
const USER = 'sooner.user';
const TURN = 'sooner.turn';
const SESSION_ONLY_MS = 24 * 60 * 60 * 1000;

type Place = 'localStorage' | 'sessionStorage';
/** What the browser's storage refused: it lives as long as the page. */
const refused = new Map<string, string>();

/** Reads a stored text. Where storage is blocked, even naming it throws: then this page's memory answers. */
function read(place: Place, key: string): string | null {
  try {
    return refused.get(`${place}.${key}`) ?? window[place].getItem(key);
  } catch {
    return null;
  }
}

function write(place: Place, key: string, value: string | null): void {
  refused.delete(`${place}.${key}`);
  try {
    if (value === null) window[place].removeItem(key);
    else window[place].setItem(key, value);
  } catch {
    if (value !== null) refused.set(`${place}.${key}`, value);
  }
}

function parse<T>(text: string | null): T | null {
  try {
    return text ? (JSON.parse(text) as T) : null;
  } catch {
    return null;
  }
}

/** Whether other tabs can read what this one stores. */
export function storageWorks(): boolean {
  try {
    window.localStorage.setItem('sooner.probe', '1');
    window.localStorage.removeItem('sooner.probe');
    return true;
  } catch {
    return false;
  }
}

/** The sign-in this tab knows of, or null. Whether its day is over is `isOver`'s to say. */
export function loadSession(): StoredSession | null {
  const session =
    parse<Partial<StoredSession>>(read('localStorage', REFRESH)) ??
    parse<Partial<StoredSession>>(read('sessionStorage', REFRESH));
  const user = session?.user ?? storedUser.get();
  if (!session?.refreshToken || !user) return null;
  const { refreshToken, persistent = false, expiresAt = null, family = '', turn = 0 } = session;
  return { refreshToken, persistent, expiresAt, family, turn, user };
}

/** Whether a session-only sign-in is over by this device's clock, which may be wrong: the server has the last word. */
export function isOver(session: StoredSession, nowMs: number): boolean {
  return session.expiresAt !== null && session.expiresAt <= nowMs;
}

/** When a session-only sign-in that is good now ends at the latest. */
export function endOfDay(persistent: boolean, nowMs: number): number | null {
  return persistent ? null : nowMs + SESSION_ONLY_MS;
}

/** Writes `session` where its rule says and nowhere else, and tells all tabs which turn it has reached. */
export function storeSession(session: StoredSession, atMs: number): void {
  const text = JSON.stringify(session);
  write('localStorage', REFRESH, session.persistent ? text : null);
  write('sessionStorage', REFRESH, session.persistent ? null : text);
  storedUser.set(session.user);
  write('localStorage', TURN, JSON.stringify({ family: session.family, turn: session.turn, at: atMs } satisfies Turn));
}

/** The newest turn stored by any tab. */
export function sharedTurn(): Turn | null {
  return parse<Turn>(read('localStorage', TURN));
}

/** Forgets this tab's copy of a session-only refresh token and nothing that other tabs use. */
export function dropOwnCopy(): void {
  write('sessionStorage', REFRESH, null);
}

/** Forgets everything of the session, in both storages. */
export function clearSession(): void {
  write('sessionStorage', REFRESH, null);
  for (const key of [REFRESH, ACCESS, USER, TURN]) write('localStorage', key, null);
}

/** The bearer token, shared by all tabs. */
export const accessToken = {
  get: () => read('localStorage', ACCESS),
  set: (token: string) => write('localStorage', ACCESS, token),
};

/** Who is signed in, as last seen. */
const storedUser = {
  get: () => parse<Identity>(read('localStorage', USER)),
  set: (user: Identity) => write('localStorage', USER, JSON.stringify(identityOf(user))),
};
