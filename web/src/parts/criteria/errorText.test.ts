import { expect, it } from 'vitest';
import { ApiError } from '../../shared/api/errors.ts';
import { configureErrorText } from './errorText.ts';

const refused = (code: string) => new ApiError('VALIDATION_FAILED', 'no', 422, { fields: { selected_appointments: code } });

it('explains why an appointment was refused', () => {
  expect(configureErrorText(refused('not_selectable'))).toBe('wizard.notSelectable');
  expect(configureErrorText(refused('not_of_this_schedule'))).toBe('wizard.notOfThisAccount');
  expect(configureErrorText(refused('something_new'))).toBe('problem.validation');
  expect(configureErrorText(new TypeError('odd'))).toBe('problem.generic');
});

it('names the criterion that the server refused', () => {
  const field = (name: string, code: string) => new ApiError('VALIDATION_FAILED', 'no', 422, { fields: { [name]: code } });
  expect(configureErrorText(field('end_date', 'in_the_past'))).toBe('editor.endPast');
  expect(configureErrorText(field('end_date', 'window_too_long'))).toBe('editor.windowTooLong');
  expect(configureErrorText(field('excluded_dates', 'outside_window'))).toBe('editor.excludedOutside');
  expect(configureErrorText(field('required_cities', 'required'))).toBe('editor.cityRequired');
  expect(configureErrorText(new ApiError('NOT_A_CODE', 'no', 418), 'editor.saveFailed')).toBe('editor.saveFailed');
});
