// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { popPageMessage } from '../browser/pageMessage.ts';
import { forgetOrigin, nextOf, turnAway } from './origin.ts';

it('whoever wanted a page comes back to it, and nobody after signing out on purpose', () => {
  expect(turnAway('/settings?a=1')).toBe('/auth/login?next=%2Fsettings%3Fa%3D1');
  expect(nextOf(turnAway('/settings?a=1').replace('/auth/login', ''))).toBe('/settings?a=1');
  forgetOrigin('signedOut');
  expect(turnAway('/settings')).toBe('/auth/login');
  forgetOrigin('arrived');
});

it('tells whoever did not sign out here that the sign-in has ended, and nobody else', () => {
  const told = () => {
    turnAway('/settings');
    return popPageMessage();
  };
  forgetOrigin('arrived');
  expect(told()).toEqual({ ended: true });
  forgetOrigin('signedOut');
  expect(told()).toBeNull();
});
