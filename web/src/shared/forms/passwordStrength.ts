import * as bounds from '../api/bounds.ts';
import type { TextKey } from '../i18n/textKey.ts';

/** Character classes of a password, in any script. The server uses the same classes. */
const classes = {
  upper: /\p{Uppercase}/u,
  lower: /\p{Lowercase}/u,
  digit: /\d/,
  special: /[^\p{Alphabetic}\p{N}\s]/u,
} as const;

type Class = keyof typeof classes;

/** Classes that a registration requires, and classes that a password reset requires. */
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

/** Returns the number of Unicode characters. Most emojis count as one. */
export function lengthOf(password: string): number {
  return [...password].length;
}

/** Returns whether a password contains every class in `wanted`. */
export function hasClasses(password: string, wanted: readonly Class[]): boolean {
  return wanted.every((name) => classes[name].test(password));
}

/** Result of the strength meter: score 0 to 4 with its label, and the missing requirements. */
interface Strength {
  score: number;
  label: TextKey;
  missing: TextKey[];
}

/**
 * Rates a password with a score of at most 4. It gets a point for 8 characters, another for 12, and
 * one for each character class. `missing` lists only classes in `wanted`.
 */
export function passwordStrength(password: string, wanted = REGISTER_CLASSES): Strength {
  const length = lengthOf(password);
  const names = Object.keys(classes) as Class[];
  const points = [length >= SHORTEST, ...names.map((name) => classes[name].test(password)), length >= LONG];
  const lacking = wanted.filter((name) => !classes[name].test(password)).map((name) => needs[name]);
  const missing: TextKey[] = length >= SHORTEST ? lacking : ['auth.needLength', ...lacking];
  const score = Math.min(4, points.filter(Boolean).length);
  // A password that the server would refuse must not be labelled strong.
  const shown = missing.length > 0 ? Math.min(3, score) : score;
  return { score, label: labels[shown] ?? 'auth.weak', missing };
}
