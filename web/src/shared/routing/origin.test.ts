// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { popPageMessage } from '../browser/pageMessage.ts';
import { forgetOrigin, nextOf, turnAway } from './origin.ts';

it('a guest returns to the requested page after sign-in, but not after signing out on purpose', () => {
  expect(turnAway('/settings?a=1')).toBe('/auth/login?next=%2Fsettings%3Fa%3D1');
  expect(nextOf(turnAway('/settings?a=1').replace('/auth/login', ''))).toBe('/settings?a=1');
  forgetOrigin('signedOut');
  expect(turnAway('/settings')).toBe('/auth/login');
  forgetOrigin('arrived');
});

it('reports an ended session only to a user who did not sign out in this tab', () => {
  const endedNotice = () => {
    turnAway('/settings');
    return popPageMessage();
  };
  forgetOrigin('arrived');
  expect(endedNotice()).toEqual({ ended: true });
  forgetOrigin('signedOut');
  expect(endedNotice()).toBeNull();
});
