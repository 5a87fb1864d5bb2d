import { bounds } from '../api/bounds.ts';
import type { Words } from '../i18n/words.ts';

/** What a password can have; the server asks the same questions, of characters in any script. */
const classes = {
  upper: /\p{Uppercase}/u,
  lower: /\p{Lowercase}/u,
  digit: /\d/,
  special: /[^\p{Alphabetic}\p{N}\s]/u,
} as const;

type Class = keyof typeof classes;

/** The classes a registration wants, and those a reset does. */
export const REGISTER_CLASSES: readonly Class[] = ['upper', 'lower', 'digit', 'special'];
export const RESET_CLASSES: readonly Class[] = ['upper', 'lower', 'digit'];

export const { minLength: SHORTEST, maxLength: LONGEST } = bounds.Registration.password;
const LONG = 12;

const needs: Record<Class, Words> = {
  upper: 'auth.needUpper',
  lower: 'auth.needLower',
  digit: 'auth.needDigit',
  special: 'auth.needSpecial',
};
const labels: Words[] = ['auth.weak', 'auth.weak', 'auth.fair', 'auth.good', 'auth.strong'];

/** Characters as people count them: an emoji is one. */
export function lengthOf(password: string): number {
  return [...password].length;
}

/** Whether a password has every one of `wanted`. */
export function hasClasses(password: string, wanted: readonly Class[]): boolean {
  return wanted.every((name) => classes[name].test(password));
}

/** The meter's reading: score 0 to 4 with its label, and what is still missing. */
interface Strength {
  score: number;
  label: Words;
  missing: Words[];
}

/** One point each for length 8+, upper case, lower case, digit, special; one more for 12+; at most 4. Hints name only what is wanted. */
export function passwordStrength(password: string, wanted = REGISTER_CLASSES): Strength {
  const length = lengthOf(password);
  const names = Object.keys(classes) as Class[];
  const points = [length >= SHORTEST, ...names.map((name) => classes[name].test(password)), length >= LONG];
  const lacking = wanted.filter((name) => !classes[name].test(password)).map((name) => needs[name]);
  const missing: Words[] = length >= SHORTEST ? lacking : ['auth.needLength', ...lacking];
  const score = Math.min(4, points.filter(Boolean).length);
  // What would be refused is not called strong.
  const told = missing.length > 0 ? Math.min(3, score) : score;
  return { score, label: labels[told] ?? 'auth.weak', missing };
}
