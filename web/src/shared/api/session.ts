import { ApiError } from './errors.ts';
import { popHandedOverSession } from './handOver.ts';
import { isSameUser, sessionStore } from './identity.ts';
import { withTabLock } from './lock.ts';
import { listenToTabs, postToTabs, requestFromTabs, type SessionMessage, type SharedSession } from './tabs.ts';
import {
  accessToken,
  clearSession,
  dropTabSession,
  type Identity,
  identityOf,
  isExpired,
  loadSession,
  type StoredSession,
  sessionOnlyExpiry,
  sharedRotation,
  storageWorks,
  storeSession,
} from './tokens.ts';
import type { LoginAnswer, RefreshAnswer, User } from './types.ts';
import { answer, clientThrough, send } from './wire.ts';

const REFRESH_EVERY_MS = 10 * 60 * 1000;
const RETRY_MS = 30_000;
/** Longest wait of the first page for the server's answer, if the session seems to have expired. */
const SERVER_WAIT_MS = 4_000;
/** Lifetime of an access token. After that time the stored data of a lost session is deleted. */
const ACCESS_LIFE_MS = 15 * 60 * 1000;

let timer: ReturnType<typeof setTimeout> | undefined;
const logoutHooks = new Set<() => void>();
/**
 * Sessions that ended while this page was open. A late message about such a session must not
 * restore it.
 */
const endedFamilies = new Set<string>();

function setIdentity(next: Identity | null): void {
  const before = sessionStore.get();
  if (before && next?.id !== before.id) for (const hook of logoutHooks) hook();
  sessionStore.set(next);
}

/**
 * Registers a function that deletes data of the user, such as caches. It runs when the user signs
 * out or another user signs in.
 */
export function onLogout(hook: () => void): void {
  logoutHooks.add(hook);
}

function adoptSession({ session, access }: SharedSession): void {
  storeSession(session, Date.now());
  accessToken.set(access);
  scheduleRefresh(REFRESH_EVERY_MS);
  setIdentity(session.user);
}

/** Stores the session of a successful sign-in. `remember` selects the storage. */
export function acceptLogin(login: LoginAnswer, remember: boolean): void {
  const session: StoredSession = {
    refreshToken: login.refresh_token,
    persistent: remember,
    expiresAt: sessionOnlyExpiry(remember, Date.now()),
    family: Math.random().toString(36).slice(2),
    turn: 0,
    user: identityOf(login.user),
  };
  const shared = { session, access: login.access_token };
  adoptSession(shared);
  postToTabs({ kind: 'session', ...shared });
}

/** Updates the stored name and address of the signed-in user. */
export function updateIdentity(user: User): void {
  const session = loadSession();
  const before = sessionStore.get();
  if (!session || before?.id !== user.id || isSameUser(before, user)) return;
  const next = { ...session, user: identityOf(user) };
  storeSession(next, sharedRotation()?.at ?? Date.now());
  setIdentity(next.user);
  const access = accessToken.get();
  if (access) postToTabs({ kind: 'session', session: next, access });
}

function forgetSession(): void {
  const session = loadSession();
  if (session) endedFamilies.add(session.family);
  clearTimeout(timer);
  clearSession();
  setIdentity(null);
}

/**
 * Makes this tab a guest after it lost its session. Shared data stays while other tabs may still
 * use it, because a busy tab must not be signed out.
 */
function becomeGuest(): void {
  clearTimeout(timer);
  const passed = Date.now() - (sharedRotation()?.at ?? 0);
  if (passed < 0 || passed > ACCESS_LIFE_MS) clearSession();
  setIdentity(null);
}

/** Ends the session in this browser, in all tabs. */
export function endSession(): void {
  const family = loadSession()?.family ?? '';
  forgetSession();
  postToTabs({ kind: 'logout', family });
}

const guestClient = clientThrough(send);

/**
 * Sends POST /auth/refresh with cookies. After a sign-in with Google the server accepts the token
 * only together with its cookie.
 */
export function requestRefresh(refresh_token: string, totp_code?: string): Promise<RefreshAnswer> {
  const body = totp_code === undefined ? { refresh_token } : { refresh_token, totp_code };
  return answer(guestClient.POST('/auth/refresh', { body, credentials: 'include' }));
}

/**
 * Returns the newest session of this browser, or null. A duplicated or restored tab may have an
 * outdated refresh token, which the shared `turn` shows. The function then requests the session
 * from other tabs. A token one turn behind is still valid. The server treats an older token as
 * stolen, so it is deleted.
 */
async function newestSession(): Promise<StoredSession | null> {
  const own = loadSession();
  const shared = sharedRotation();
  const behind = own && shared && own.family === shared.family ? shared.turn - own.turn : 0;
  const foreign = own !== null && shared !== null && own.family !== shared.family;
  if (own && !foreign && behind <= 0) return own;
  const other = await requestFromTabs(({ session }) => session.turn >= (shared?.turn ?? 0));
  if (other && !endedFamilies.has(other.session.family) && (!own || foreign || other.session.turn > own.turn)) {
    adoptSession(other);
    return other.session;
  }
  if (own && !foreign && behind === 1) return own;
  if (own) dropTabSession();
  return null;
}

/**
 * Gets a new access token, once for all tabs. Returns true if the token is now newer than `stale`.
 * A refused refresh token ends the session. A network failure does not.
 */
export function refreshSession(stale: string | null): Promise<boolean> {
  return withTabLock('sooner.refresh', async () => {
    const current = accessToken.get();
    return current !== null && current !== stale ? true : rotate();
  });
}

/** Exchanges the newest refresh token for new tokens. The caller must hold the lock of the tabs. */
async function rotate(): Promise<boolean> {
  const session = await newestSession();
  if (!session) {
    becomeGuest();
    return false;
  }
  try {
    const tokens = await requestRefresh(session.refreshToken);
    // The user signed out during the request, in this or another tab. Discard the response.
    if (endedFamilies.has(session.family)) return false;
    const now = Date.now();
    const next = {
      ...session,
      refreshToken: tokens.refresh_token,
      turn: session.turn + 1,
      // The server accepts the session, so the clock of this device was wrong when the session
      // seemed expired.
      expiresAt: isExpired(session, now) ? sessionOnlyExpiry(session.persistent, now) : session.expiresAt,
    };
    storeSession(next, now);
    accessToken.set(tokens.access_token);
    scheduleRefresh(REFRESH_EVERY_MS);
    postToTabs({ kind: 'session', session: next, access: tokens.access_token });
    return true;
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 401 && error.status !== 403)) throw error;
    // Another session may have begun in another tab. Do not end that one.
    if (loadSession()?.family === session.family) endSession();
    return false;
  }
}

/** Returns the time until the next refresh in ms. Returns 0 if the clock was set back. */
function msUntilRefresh(): number {
  const shared = sharedRotation();
  const passed = shared ? Date.now() - shared.at : REFRESH_EVERY_MS;
  return passed < 0 ? 0 : Math.max(0, REFRESH_EVERY_MS - passed);
}

function scheduleRefresh(waitMs: number): void {
  clearTimeout(timer);
  timer = setTimeout(refreshIfDue, waitMs);
}

/**
 * Refreshes the session if it is due and no other tab has done so. After a network failure it
 * retries soon.
 */
function refreshIfDue(): void {
  if (!sessionStore.get()) return;
  const refreshed = withTabLock('sooner.refresh', async () => {
    const wait = msUntilRefresh();
    if (wait > 0) return scheduleRefresh(wait);
    await rotate();
  });
  refreshed.catch(() => scheduleRefresh(RETRY_MS));
}

function onMessage(message: SessionMessage): void {
  const own = loadSession();
  if (message.kind === 'ask') {
    const access = accessToken.get();
    if (own && access && sessionStore.get()) postToTabs({ kind: 'session', session: own, access });
  } else if (message.kind === 'logout') {
    if (!own || own.family === message.family) forgetSession();
    endedFamilies.add(message.family);
  } else if (!endedFamilies.has(message.session.family)) {
    const older = own?.family === message.session.family && own.turn > message.session.turn;
    if (!older) adoptSession(message);
  }
}

/**
 * Handles the wake-up of a tab. A sleeping tab may have missed a refresh, a sign-out or a sign-in.
 */
function onWake(): void {
  if (document.visibilityState === 'hidden') return;
  const session = loadSession();
  const identity = sessionStore.get();
  if (identity && !session && storageWorks()) setIdentity(null);
  else if (session && session.user.id !== identity?.id && !isExpired(session, Date.now())) setIdentity(session.user);
  if (sessionStore.get() && msUntilRefresh() === 0) refreshIfDue();
}

/**
 * Restores the session of this browser before the first route is matched. Then refreshes it every
 * 10 minutes.
 */
export async function startSession(): Promise<void> {
  listenToTabs(onMessage, onWake);
  for (const event of ['pageshow', 'online', 'focus']) window.addEventListener(event, onWake);
  document.addEventListener('visibilitychange', onWake);
  const handedOver = popHandedOverSession();
  if (handedOver) adoptSession(handedOver);
  let session = loadSession();
  if (!session && (accessToken.get() || !storageWorks())) {
    const other = await requestFromTabs(() => true);
    if (other) adoptSession(other);
    session = loadSession();
  }
  if (!session) return becomeGuest();
  // The session has expired by this device's clock, which may be wrong. The server decides.
  if (isExpired(session, Date.now())) {
    const renewed = withTabLock('sooner.refresh', rotate).catch(() => false);
    const begin = renewed.then((good) => good && setIdentity(session.user));
    await Promise.race([begin, new Promise((resolve) => setTimeout(resolve, SERVER_WAIT_MS))]);
    return;
  }
  setIdentity(session.user);
  scheduleRefresh(msUntilRefresh());
}

let ready: Promise<void> | undefined;

/** Starts the session once, and returns the same promise to all callers. */
export function sessionReady(): Promise<void> {
  ready ??= startSession();
  return ready;
}
