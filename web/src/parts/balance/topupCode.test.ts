import { expect, it } from 'vitest';
import { cleanCode, groupCode } from './topupCode.ts';

// spec: 2.8.11, 4.4.04, 5.3.01, 9.22
it('keeps the valid characters of a code and groups them by four', () => {
  expect(cleanCode('3F9A-c204 7b1e xyz 88d0ffff')).toBe('3f9ac2047b1e88d0');
  expect(groupCode('3f9ac2047b1e88d0')).toBe('3f9a c204 7b1e 88d0');
  expect(groupCode('3f9ac')).toBe('3f9a c');
  expect(groupCode('3f9a')).toBe('3f9a');
});
