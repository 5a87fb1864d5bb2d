import { expect, it } from 'vitest';
import { ApiError } from '../api/errors.ts';
import { configureErrorWords, errorWords } from './errorWords.ts';

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
