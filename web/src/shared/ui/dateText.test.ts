import { expect, it } from 'vitest';
import { dateProblem, readDate, tidied } from './dateText.ts';

it.each([
  ['2026-11-21', '2026-11-21'],
  [' 2026/1/2 ', '2026-01-02'],
  ['20261121', '2026-11-21'],
  ['2026.1.02', '2026-01-02'],
  ['2026年1月2日', '2026-01-02'],
  ['2026-1', '2026-1'],
  ['202611', '202611'],
])('reads %s as %s', (typed, date) => {
  expect(tidied(typed)).toBe(date);
});

it('refuses a date that does not exist', () => {
  expect([readDate('2026-02-29'), readDate('2028-02-29'), readDate('2026-13-01'), readDate('')]).toEqual([
    null,
    '2028-02-29',
    null,
    null,
  ]);
});

it.each([
  ['', null],
  ['2026-11-21', null],
  ['2026-11', 'dateFormat'],
  ['tomorrow', 'dateFormat'],
  ['2026-02-30', 'dateImpossible'],
  ['2026-11-19', 'dateTooEarly'],
  ['2026-12-02', 'dateTooLate'],
])('reports for %s between 2026-11-20 and 2026-12-01: %s', (typed, kind) => {
  expect(dateProblem(typed, '2026-11-20', '2026-12-01')?.kind ?? null).toBe(kind);
});

it('limits every field to 1900 to 2099', () => {
  expect(dateProblem('1899-12-31')).toEqual({ kind: 'dateTooEarly', date: '1900-01-01' });
  expect(dateProblem('2100-01-01', '1800-01-01', '2200-01-01')).toEqual({ kind: 'dateTooLate', date: '2099-12-31' });
});
