import { bounds } from '../api/bounds.ts';
import type { TextKey } from '../i18n/textKey.ts';

/** Character classes of a password. The server uses the same, for characters of any script. */
const classes = {
  upper: /\p{Uppercase}/u,
  lower: /\p{Lowercase}/u,
  digit: /\d/,
  special: /[^\p{Alphabetic}\p{N}\s]/u,
} as const;

type Class = keyof typeof classes;

/** Classes that a registration requires, and those of a reset. */
export const REGISTER_CLASSES: readonly Class[] = ['upper', 'lower', 'digit', 'special'];
export const RESET_CLASSES: readonly Class[] = ['upper', 'lower', 'digit'];

export const { minLength: SHORTEST, maxLength: LONGEST } = bounds.Registration.password;
const LONG = 12;

const needs: Record<Class, TextKey> = {
  upper: 'auth.needUpper',
  lower: 'auth.needLower',
  digit: 'auth.needDigit',
  special: 'auth.needSpecial',
};
const labels: TextKey[] = ['auth.weak', 'auth.weak', 'auth.fair', 'auth.good', 'auth.strong'];

/** Returns the number of characters as users count them: an emoji is one. */
export function lengthOf(password: string): number {
  return [...password].length;
}

/** Returns whether a password has every class of `wanted`. */
export function hasClasses(password: string, wanted: readonly Class[]): boolean {
  return wanted.every((name) => classes[name].test(password));
}

/** Result of the meter: score 0 to 4 with its label, and the missing requirements. */
interface Strength {
  score: number;
  label: TextKey;
  missing: TextKey[];
}

/**
 * Rates a password. One point each for length 8+, upper case, lower case, digit, special; one more
 * for 12+; at most 4. Hints name only required classes.
 */
export function passwordStrength(password: string, wanted = REGISTER_CLASSES): Strength {
  const length = lengthOf(password);
  const names = Object.keys(classes) as Class[];
  const points = [length >= SHORTEST, ...names.map((name) => classes[name].test(password)), length >= LONG];
  const lacking = wanted.filter((name) => !classes[name].test(password)).map((name) => needs[name]);
  const missing: TextKey[] = length >= SHORTEST ? lacking : ['auth.needLength', ...lacking];
  const score = Math.min(4, points.filter(Boolean).length);
  // A password that would be refused is not called strong.
  const shown = missing.length > 0 ? Math.min(3, score) : score;
  return { score, label: labels[shown] ?? 'auth.weak', missing };
}
