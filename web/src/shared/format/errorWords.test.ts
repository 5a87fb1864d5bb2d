import { expect, it } from 'vitest';
import document from '../../../openapi.json';
import { ApiError } from '../api/errors.ts';
import en from '../i18n/en.json';
import zh from '../i18n/zh.json';
import { configureErrorWords, errorWords, hasWords } from './errorWords.ts';

const refused = (code: string) => new ApiError('VALIDATION_FAILED', 'no', 422, { fields: { selected_appointments: code } });

it('says why an appointment was not taken', () => {
  expect(configureErrorWords(refused('not_selectable'))).toBe('wizard.notSelectable');
  expect(configureErrorWords(refused('not_of_this_schedule'))).toBe('wizard.notOfThisAccount');
  expect(configureErrorWords(refused('something_new'))).toBe('problem.validation');
  expect(configureErrorWords(new TypeError('odd'))).toBe('problem.generic');
});

it('has words for a price that changed without saying to what', () => {
  expect(errorWords(new ApiError('PRICE_CHANGED', 'no', 409), 'problem.generic')).toBe('submit.priceChangedRetry');
});

const codes = document.components.schemas.Code.enum;

const said = (tree: object, words: string) =>
  words.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], tree);

it('has a sentence in both languages for every code the server can answer', () => {
  expect(codes.length).toBeGreaterThan(40);
  for (const code of codes) {
    expect([code, hasWords(code)]).toEqual([code, true]);
    const words = errorWords(new ApiError(code, 'no', 409), 'problem.generic');
    expect([code, typeof said(en, words), typeof said(zh, words)]).toEqual([code, 'string', 'string']);
  }
});

it('names the condition the server refused', () => {
  const field = (name: string, code: string) => new ApiError('VALIDATION_FAILED', 'no', 422, { fields: { [name]: code } });
  expect(configureErrorWords(field('end_date', 'in_the_past'))).toBe('editor.endPast');
  expect(configureErrorWords(field('end_date', 'window_too_long'))).toBe('editor.windowTooLong');
  expect(configureErrorWords(field('excluded_dates', 'outside_window'))).toBe('editor.excludedOutside');
  expect(configureErrorWords(field('required_cities', 'required'))).toBe('editor.cityRequired');
  expect(configureErrorWords(new ApiError('NOT_A_CODE', 'no', 418), 'editor.saveFailed')).toBe('editor.saveFailed');
});
