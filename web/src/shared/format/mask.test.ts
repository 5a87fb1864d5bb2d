import { expect, it } from 'vitest';
import { maskEmail, maskIvr, maskName } from './mask.ts';

// spec: 2.7.23, 2.7.25, 2.7.26
it('masks names as the specification defines', () => {
  expect(maskName('Zhao Mingyuan')).toBe('Z***');
  expect(maskEmail('zhaomingyuan@example.com')).toBe('z***@example.com');
  expect(maskIvr('70220418')).toBe('70****18');
  expect(maskIvr('7022')).toBe('****');
});
