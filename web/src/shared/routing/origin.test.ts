import { expect, it } from 'vitest';
import { forgetOrigin, leadingTo, nextOf, turnAway } from './origin.ts';

it.each([
  ['/settings', '/settings'],
  ['/schedule/7?from=mail#log', '/schedule/7?from=mail#log'],
  [`${window.location.origin}/balance`, '/balance'],
  ['//evil.example.com/x', '/dashboard'],
  ['/\\evil.example.com', '/dashboard'],
  ['/\t/evil.example.com', '/dashboard'],
  ['https://evil.example.com/', '/dashboard'],
  ['javascript:alert(1)', '/dashboard'],
  ['data:text/html,x', '/dashboard'],
  ['http://[', '/dashboard'],
  ['/auth/login?next=/auth/login', '/dashboard'],
  ['/api/v1/auth/logout', '/dashboard'],
  ['', '/dashboard'],
])('signing in with next=%s leads to %s', (next, path) => {
  expect(nextOf(leadingTo('', next))).toBe(path);
});

it('whoever wanted a page comes back to it, and nobody after signing out on purpose', () => {
  expect(turnAway('/settings?a=1')).toBe('/auth/login?next=%2Fsettings%3Fa%3D1');
  expect(nextOf(turnAway('/settings?a=1').replace('/auth/login', ''))).toBe('/settings?a=1');
  forgetOrigin('signedOut');
  expect(turnAway('/settings')).toBe('/auth/login');
  forgetOrigin('arrived');
});
