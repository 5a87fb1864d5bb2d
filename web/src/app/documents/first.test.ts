// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readGoogleRequest } from '../../parts/account/googleSignIn.ts';
import { leadingTo, nextOf } from '../../shared/routing/origin.ts';

const script = ['first', 'firstAuth']
  .map((name) => readFileSync(`${process.cwd()}/src/app/documents/${name}.js`, 'utf8'))
  .join('\n');
const names = ['document', 'location', 'localStorage', 'sessionStorage', 'matchMedia', 'addEventListener'];
const run = new Function(...names, script);
const here = window.location.origin;

/**
 * Runs the first script of the sign-in page for a signed-in user. Returns the address to which it
 * redirects, or null.
 */
function sentTo(search: string, guests = true): string | null {
  let to: string | null = null;
  const session = JSON.stringify({ user: { id: 'u' }, expiresAt: null });
  const storage = { getItem: (key: string) => (key === 'sooner.refresh' ? session : null), removeItem: () => undefined };
  const root = { dataset: {}, hidden: false };
  const page = {
    documentElement: root,
    currentScript: { dataset: { lang: 'zh', ...(guests ? { guests: '' } : {}) } },
    querySelectorAll: () => [],
    querySelector: () => null,
  };
  const location = { search, hash: '', origin: here, replace: (next: unknown) => (to = String(next)) };
  run(
    page,
    location,
    storage,
    storage,
    () => ({ matches: false }),
    () => undefined,
  );
  return to;
}

/**
 * Values of `next` that an attacker may put into a link to the sign-in page, with the expected
 * target.
 */
const cases: [next: string, path: string][] = [
  ['/settings', '/settings'],
  ['/schedule/7?from=mail#log', '/schedule/7?from=mail#log'],
  ['settings', '/settings'],
  [`${here}/balance`, '/balance'],
  ['/%2F%2Fevil.example.com', '/%2F%2Fevil.example.com'],
  ['//evil.example.com/x', '/dashboard'],
  ['///evil.example.com', '/dashboard'],
  ['/\\evil.example.com', '/dashboard'],
  ['\\\\evil.example.com', '/dashboard'],
  ['/\t/evil.example.com', '/dashboard'],
  ['/\n/evil.example.com', '/dashboard'],
  ['\u0000//evil.example.com', '/dashboard'],
  [' //evil.example.com', '/dashboard'],
  // The origin of these addresses is this site, but their path alone would be read as another host.
  ['/.//evil.example.com', '/dashboard'],
  ['/..//evil.example.com', '/dashboard'],
  ['/x/..//evil.example.com', '/dashboard'],
  ['/%2e//evil.example.com', '/dashboard'],
  ['/.\\/evil.example.com', '/dashboard'],
  ['.//.//evil.example.com', '/dashboard'],
  [`${here}//evil.example.com`, '/dashboard'],
  [`${here}/\\evil.example.com`, '/dashboard'],
  [`${here}@evil.example.com/`, '/dashboard'],
  [`${here}.evil.example.com/`, '/dashboard'],
  ['https://evil.example.com/', '/dashboard'],
  ['https:evil.example.com', '/dashboard'],
  ['HTTPS://EVIL.EXAMPLE.COM', '/dashboard'],
  ['javascript:alert(1)', '/dashboard'],
  ['java\nscript:alert(1)', '/dashboard'],
  ['\u0001javascript:alert(1)', '/dashboard'],
  ['data:text/html,x', '/dashboard'],
  [`blob:${here}/8f0c6d1e`, '/dashboard'],
  [`filesystem:${here}/temporary/x`, '/dashboard'],
  ['http://[', '/dashboard'],
  ['/auth', '/dashboard'],
  ['/auth/login?next=/auth/login', '/dashboard'],
  ['/x/../auth/login', '/dashboard'],
  ['/%2e%2e/auth/login', '/dashboard'],
  ['/api/v1/auth/logout', '/dashboard'],
  ['/.\\api/v1/auth/logout', '/dashboard'],
  ['', '/dashboard'],
];

describe('a signed-in user on a page for guests is redirected', () => {
  it.each(cases)('with next=%j to %s, both by the first script and by the page', (next, path) => {
    const search = leadingTo('', next);
    expect(nextOf(search)).toBe(path);
    // An invalid address makes the script stop. The page then applies the same rule.
    expect(sentTo(search)).toBe(URL.canParse(next, here) ? path : null);
    // The browser must never resolve the target to another host.
    expect(new URL(path, here).origin).toBe(here);
  });

  it('also after a return from Google, whatever is stored', () => {
    for (const [next, path] of cases.filter(([given]) => given !== '')) {
      sessionStorage.setItem('sooner.google', JSON.stringify({ returnTo: next }));
      expect(readGoogleRequest().returnTo, next).toBe(path);
    }
    sessionStorage.clear();
  });

  it('not from a page for all visitors', () => {
    expect(sentTo('?next=/settings', false)).toBeNull();
  });
});
