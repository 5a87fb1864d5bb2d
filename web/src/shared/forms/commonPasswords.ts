import { answer, client } from '../api/client.ts';

/** What is guessed first in a password for us, besides one's address. */
const OUR_NAMES = ['sooner', 'zaoqian', '早签'];
/** This many letters or digits of one's own a password has besides such words. */
const OWN = 6;

/** A password as it is compared: the server does the same (`domain::password::common`). */
export function folded(password: string): string {
  return password
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^[^\p{Alphabetic}\p{N}]+|[^\p{Alphabetic}\p{N}]+$/gu, '');
}

/** Whether a password has little besides the address of its owner, or our name. */
export function isContext(password: string, email: string): boolean {
  const at = email.trim().lastIndexOf('@');
  const [local, host] = at < 0 ? [email, ''] : [email.trim().slice(0, at), email.trim().slice(at + 1)];
  const parts = [local, ...local.split(/[.\-_+]/), ...host.split('.')].map(folded).filter((word) => [...word].length >= 4);
  const whole = folded(password);
  const longestFirst = [...parts, ...OUR_NAMES].sort((a, b) => b.length - a.length);
  const rest = longestFirst.reduce((left, word) => left.replaceAll(word, ''), whole);
  return rest !== whole && (rest.match(/[\p{Alphabetic}\p{N}]/gu) ?? []).length < OWN;
}

const known = new Map<string, Promise<Set<string>>>();

function beginningWith(beginning: string): Promise<Set<string>> {
  let asked = known.get(beginning);
  if (!asked) {
    asked = answer(client.GET('/auth/common-passwords/{beginning}', { params: { path: { beginning } } })).then(
      ({ hashes }) => new Set(hashes),
    );
    // What failed is asked for again.
    asked.catch(() => known.delete(beginning));
    known.set(beginning, asked);
  }
  return asked;
}

/**
 * Whether many people have this password: of its hash the server is told 12 bits, and answers what begins alike. Null where it cannot
 * be told, as without HTTPS; the server judges again in any case.
 */
export async function isCommon(password: string): Promise<boolean | null> {
  if (!globalThis.crypto?.subtle) return null;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(folded(password))));
  const hash = [...digest.subarray(0, 5)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  try {
    return (await beginningWith(hash.slice(0, 3))).has(hash);
  } catch {
    return null;
  }
}
