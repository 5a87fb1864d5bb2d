import type { CardConfig } from '../../shared/api/money.ts';

/** Reason why a typed amount is invalid. */
type AmountProblem = 'empty' | 'range' | 'cents';

/** Parses a typed amount. Returns the amount or its problem. A comma counts as a decimal point. */
export function readAmount(
  typed: string,
  limits: Pick<CardConfig, 'min_amount' | 'max_amount'>,
): { value: number; problem: null } | { value: null; problem: AmountProblem } {
  const plain = typed.trim().replace(',', '.');
  if (plain === '') return { value: null, problem: 'empty' };
  const value = Number(plain);
  if (!/^\d*\.?\d*$/.test(plain) || !Number.isFinite(value)) return { value: null, problem: 'range' };
  if (value < limits.min_amount || value > limits.max_amount) return { value: null, problem: 'range' };
  if (!/^\d*(\.\d{0,2})?$/.test(plain)) return { value: null, problem: 'cents' };
  return { value, problem: null };
}
