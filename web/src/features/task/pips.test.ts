import { expect, it } from 'vitest';
import { pips } from './pips.ts';

// spec: 10.9.09
it('reserves the last change for the user until they consent to its use', () => {
  expect(pips(3, 0, false, false)).toEqual(['free', 'free', 'kept']);
  expect(pips(3, 0, true, false)).toEqual(['free', 'free', 'free']);
  expect(pips(1, 2, false, false)).toEqual(['used', 'used', 'kept']);
  expect(pips(0, 3, false, false)).toEqual(['used', 'used', 'used']);
  expect(pips(null, 1, false, false)).toEqual([]);
  expect(pips(40, 3, false, false)).toHaveLength(9);
  expect(pips(2, 0, false, true)).toEqual(['kept', 'kept']);
  expect(pips(1, 1, true, true)).toEqual(['used', 'free']);
});
