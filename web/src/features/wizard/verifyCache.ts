import { useMemo } from 'react';
import type { Verification } from '../../shared/api/types.ts';
import { createStore } from '../../shared/state/createStore.ts';
import { useStore } from '../../shared/state/useStore.ts';

const PREFIX = 'sooner.verify.';
const LIFE_MS = 30 * 60 * 1000;

/**
 * Key of a cached response: our user, the portal login, the country and the kind of visa. It never
 * contains a password.
 */
interface VerifyKey {
  userId: string;
  username: string;
  countryCode: string;
  visaType: string;
}

/** A cached response with the time of its reading from the portal (ms). */
export interface CachedVerification {
  verification: Verification;
  readAtMs: number;
}

const storageKey = (key: VerifyKey) =>
  `${PREFIX}${key.userId}.${key.countryCode}.${key.visaType}.${key.username.trim().toLowerCase()}`;

/**
 * A time in the future means that the device's clock was changed. Such a response is not trusted.
 */
const isFresh = ({ readAtMs }: CachedVerification, nowMs: number) => readAtMs <= nowMs && nowMs - readAtMs < LIFE_MS;

/** Returns the cached response if it is younger than 30 minutes. */
function readVerification(key: VerifyKey, nowMs: number): CachedVerification | null {
  try {
    const cached = JSON.parse(localStorage.getItem(storageKey(key)) ?? 'null') as CachedVerification | null;
    return cached && isFresh(cached, nowMs) ? cached : null;
  } catch {
    return null;
  }
}

/** Number of responses that this page has written. */
const writes = createStore(0);

/**
 * Returns the response for an account. It is read when the account is named and when a new response
 * arrives. A response that was fresh then stays on the page with its age.
 */
export function useVerification({ userId, username, countryCode, visaType }: VerifyKey): CachedVerification | null {
  const written = useStore(writes);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new answer is read
  return useMemo(
    () => (username ? readVerification({ userId, username, countryCode, visaType }, Date.now()) : null),
    [userId, username, countryCode, visaType, written],
  );
}

/** Deletes old responses, which hold names and dates that are no longer needed. */
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
    // Without storage the wizard signs in again.
  }
  writes.set(writes.get() + 1);
}

/** Deletes all cached responses, at sign-out or after a submit that changed their content. */
export function forgetVerifications(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  } catch {
    // Nothing was stored.
  }
}
