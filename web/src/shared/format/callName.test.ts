import { expect, it } from 'vitest';
import { callName, initialOf } from './callName.ts';

// spec: 10.7.44
it('calls users by their chosen name, or by the first part of their address', () => {
  const email = 'LIN.Zhixia@example.com';
  expect(callName({ email, display_name: '林知夏' })).toBe('林知夏');
  expect(callName({ email, display_name: null })).toBe('lin.zhixia');
  expect(callName({ email })).toBe('lin.zhixia');
  expect(initialOf({ email, display_name: '林知夏' })).toBe('林');
  expect(initialOf({ email, display_name: '🦊 Fox' })).toBe('🦊');
  expect(initialOf({ email, display_name: null })).toBe('L');
  expect(initialOf({ email: '' })).toBe('?');
});
