import type { Words } from '../i18n/words.ts';

const rules: { missing: Words; test: (password: string) => boolean }[] = [
  { missing: 'auth.needLength', test: (password) => password.length >= 8 },
  { missing: 'auth.needUpper', test: (password) => /[A-Z]/.test(password) },
  { missing: 'auth.needLower', test: (password) => /[a-z]/.test(password) },
  { missing: 'auth.needDigit', test: (password) => /\d/.test(password) },
  { missing: 'auth.needSpecial', test: (password) => /[^A-Za-z0-9\s]/.test(password) },
];

const LONG = 12;
const labels: Words[] = ['auth.weak', 'auth.weak', 'auth.fair', 'auth.good', 'auth.strong'];

/** The meter's reading: score 0 to 4 with its label, and what is still missing. */
export interface Strength {
  score: number;
  label: Words;
  missing: Words[];
}

/** One point each for length 8+, upper case, lower case, digit, special; one more for 12+; at most 4. */
export function passwordStrength(password: string): Strength {
  const missing = rules.filter((rule) => !rule.test(password)).map((rule) => rule.missing);
  const score = Math.min(4, rules.length - missing.length + (password.length >= LONG ? 1 : 0));
  return { score, label: labels[score] ?? 'auth.weak', missing };
}
