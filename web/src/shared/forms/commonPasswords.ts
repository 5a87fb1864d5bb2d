import { answer, client } from '../api/client.ts';

/** Names of this product. Attackers try them first, besides the user's mail address. */
const OUR_NAMES = ['sooner', 'zaoqian', '早签'];
/**
 * Minimum number of letters and digits in a password besides the product's names and parts of the
 * mail address.
 */
const OWN = 6;

/** Normalizes a password for comparison, as the server does (`domain::password::common`). */
export function folded(password: string): string {
  return password
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^[^\p{Alphabetic}\p{N}]+|[^\p{Alphabetic}\p{N}]+$/gu, '');
}

/**
 * Returns whether a password consists mainly of parts of the user's mail address or of the
 * product's name.
 */
export function isContext(password: string, email: string): boolean {
  const at = email.trim().lastIndexOf('@');
  const [local, host] = at < 0 ? [email, ''] : [email.trim().slice(0, at), email.trim().slice(at + 1)];
  const parts = [local, ...local.split(/[.\-_+]/), ...host.split('.')].map(folded).filter((text) => [...text].length >= 4);
  const whole = folded(password);
  const longestFirst = [...parts, ...OUR_NAMES].sort((a, b) => b.length - a.length);
  const rest = longestFirst.reduce((left, text) => left.replaceAll(text, ''), whole);
  return rest !== whole && (rest.match(/[\p{Alphabetic}\p{N}]/gu) ?? []).length < OWN;
}

const known = new Map<string, Promise<Set<string>>>();

function beginningWith(beginning: string): Promise<Set<string>> {
  let asked = known.get(beginning);
  if (!asked) {
    asked = answer(client.GET('/auth/common-passwords/{beginning}', { params: { path: { beginning } } })).then(
      ({ hashes }) => new Set(hashes),
    );
    // The next call sends the request again.
    asked.catch(() => known.delete(beginning));
    known.set(beginning, asked);
  }
  return asked;
}

/**
 * Returns whether a password is common. The server receives only 12 bits of the password's hash,
 * and returns all common hashes that begin with them. Returns null if the check is impossible, for
 * example without HTTPS. The server checks every new password again.
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
