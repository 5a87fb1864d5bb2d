import { describe, expect, it } from 'vitest';
import { passwordStrength, RESET_CLASSES } from './passwordStrength.ts';

describe('password strength', () => {
  // spec: 5.1.09, 5.1.10, 9.05
  it.each([
    ['', 0, 'auth.weak'],
    ['abc', 1, 'auth.weak'],
    ['abcdefgh', 2, 'auth.fair'],
    ['Abcdefgh', 3, 'auth.good'],
    ['Abcdefg1', 4, 'auth.good'],
    ['Abcdefg1!', 4, 'auth.strong'],
    ['abcdefghijkl', 3, 'auth.good'],
    ['Sunrise#2026', 4, 'auth.strong'],
  ])('%s scores %i (%s)', (password, score, label) => {
    expect(passwordStrength(password)).toMatchObject({ score, label });
  });

  it('rates as strong a password that a reset accepts', () => {
    expect(passwordStrength('Abcdefg1', RESET_CLASSES).label).toBe('auth.strong');
  });

  // spec: 5.1.11
  it('names what is missing, and nothing if all is there', () => {
    expect(passwordStrength('abcdefgh').missing).toEqual(['auth.needUpper', 'auth.needDigit', 'auth.needSpecial']);
    expect(passwordStrength('Sunrise#2026').missing).toEqual([]);
  });
});
