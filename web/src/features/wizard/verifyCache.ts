import { useMemo } from 'react';
import type { Verification } from '../../shared/api/types.ts';
import { createStore } from '../../shared/state/createStore.ts';
import { useStore } from '../../shared/state/useStore.ts';

const PREFIX = 'sooner.verify.';
const LIFE_MS = 30 * 60 * 1000;

/**
 * Key of a cached response: the user, the portal account, the country and the visa type. It never
 * contains a password.
 */
interface VerifyKey {
  userId: string;
  username: string;
  countryCode: string;
  visaType: string;
}

/** Cached response of a verification, with the time (ms) at which the portal was read. */
export interface CachedVerification {
  verification: Verification;
  readAtMs: number;
}

const storageKey = (key: VerifyKey) =>
  `${PREFIX}${key.userId}.${key.countryCode}.${key.visaType}.${key.username.trim().toLowerCase()}`;

/** A time in the future means that the device's clock was changed. Such a response is not used. */
const isFresh = ({ readAtMs }: CachedVerification, nowMs: number) => readAtMs <= nowMs && nowMs - readAtMs < LIFE_MS;

/** Returns the cached response if it is less than 30 minutes old. */
function readVerification(key: VerifyKey, nowMs: number): CachedVerification | null {
  try {
    const cached = JSON.parse(localStorage.getItem(storageKey(key)) ?? 'null') as CachedVerification | null;
    return cached && isFresh(cached, nowMs) ? cached : null;
  } catch {
    return null;
  }
}

/**
 * Number of responses that this page has cached. A change makes components read the cache again.
 */
const writes = createStore(0);

/**
 * Returns the cached response of a portal account. It is read when the account changes or a new
 * response arrives. A response that expires later stays on the page, with its age.
 */
export function useVerification({ userId, username, countryCode, visaType }: VerifyKey): CachedVerification | null {
  const written = useStore(writes);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new response must be read
  return useMemo(
    () => (username ? readVerification({ userId, username, countryCode, visaType }, Date.now()) : null),
    [userId, username, countryCode, visaType, written],
  );
}

/** Deletes expired responses, because they contain names and dates. */
function dropOld(nowMs: number): void {
  for (const name of Object.keys(localStorage).filter((one) => one.startsWith(PREFIX))) {
    const kept = JSON.parse(localStorage.getItem(name) ?? 'null') as CachedVerification | null;
    if (!kept || !isFresh(kept, nowMs)) localStorage.removeItem(name);
  }
}

/** Caches a response for 30 minutes. */
export function writeVerification(key: VerifyKey, verification: Verification, nowMs: number): void {
  try {
    dropOld(nowMs);
    localStorage.setItem(storageKey(key), JSON.stringify({ verification, readAtMs: nowMs } satisfies CachedVerification));
  } catch {
    // Storage is blocked. The wizard then signs in again.
  }
  writes.set(writes.get() + 1);
}

/**
 * Deletes all cached responses, at sign-out, and after a submission, which changes their content.
 */
export function forgetVerifications(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  } catch {
    // Storage is blocked, so nothing is cached.
  }
}
