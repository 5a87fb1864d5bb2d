import { expect, it } from 'vitest';
import { forgetOrigin, nextOf, turnAway } from './origin.ts';

it('whoever wanted a page comes back to it, and nobody after signing out on purpose', () => {
  expect(turnAway('/settings?a=1')).toBe('/auth/login?next=%2Fsettings%3Fa%3D1');
  expect(nextOf(turnAway('/settings?a=1').replace('/auth/login', ''))).toBe('/settings?a=1');
  forgetOrigin('signedOut');
  expect(turnAway('/settings')).toBe('/auth/login');
  forgetOrigin('arrived');
});
