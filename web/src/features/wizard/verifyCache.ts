import { useMemo } from 'react';
import type { Verification } from '../../shared/api/types.ts';
import { createStore } from '../../shared/state/createStore.ts';
import { useStore } from '../../shared/state/useStore.ts';

const PREFIX = 'sooner.verify.';
const LIFE_MS = 30 * 60 * 1000;

/** Whose cached answer: our user, the portal login, the country and the kind of visa. No password is ever part of it. */
interface VerifyKey {
  userId: string;
  username: string;
  countryCode: string;
  visaType: string;
}

/** A cached answer with the moment it was read from the portal (ms). */
export interface CachedVerification {
  verification: Verification;
  readAtMs: number;
}

const storageKey = (key: VerifyKey) =>
  `${PREFIX}${key.userId}.${key.countryCode}.${key.visaType}.${key.username.trim().toLowerCase()}`;

/** A moment that has not come yet means that the device's clock was set: such an answer is not trusted. */
const isFresh = ({ readAtMs }: CachedVerification, nowMs: number) => readAtMs <= nowMs && nowMs - readAtMs < LIFE_MS;

/** The cached answer if it is younger than 30 minutes. */
function readVerification(key: VerifyKey, nowMs: number): CachedVerification | null {
  try {
    const cached = JSON.parse(localStorage.getItem(storageKey(key)) ?? 'null') as CachedVerification | null;
    return cached && isFresh(cached, nowMs) ? cached : null;
  } catch {
    return null;
  }
}

/** How often this page has written an answer. */
const writes = createStore(0);

/**
 * The answer for an account, read when the account is named and when there is a new one: what was fresh then stays on the page, however
 * long one thinks about it; its age is said.
 */
export function useVerification({ userId, username, countryCode, visaType }: VerifyKey): CachedVerification | null {
  const written = useStore(writes);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new answer is read
  return useMemo(
    () => (username ? readVerification({ userId, username, countryCode, visaType }, Date.now()) : null),
    [userId, username, countryCode, visaType, written],
  );
}

/** Old answers hold names and dates nobody needs any more. */
function dropOld(nowMs: number): void {
  for (const name of Object.keys(localStorage).filter((one) => one.startsWith(PREFIX))) {
    const kept = JSON.parse(localStorage.getItem(name) ?? 'null') as CachedVerification | null;
    if (!kept || !isFresh(kept, nowMs)) localStorage.removeItem(name);
  }
}

/** Keeps an answer for 30 minutes. */
export function writeVerification(key: VerifyKey, verification: Verification, nowMs: number): void {
  try {
    dropOld(nowMs);
    localStorage.setItem(storageKey(key), JSON.stringify({ verification, readAtMs: nowMs } satisfies CachedVerification));
  } catch {
    // Without storage the wizard simply signs in again.
  }
  writes.set(writes.get() + 1);
}

/** Drops all cached answers, at sign-out or after a submit changed what they say. */
export function forgetVerifications(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  } catch {
    // Nothing was stored.
  }
}
