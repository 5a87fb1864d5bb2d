import { ApiError } from '../../shared/api/errors.ts';
import { errorText } from '../../shared/format/errorText.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';

const criteriaFields: Record<string, TextKey> = {
  'selected_appointments.not_selectable': 'wizard.notSelectable',
  'selected_appointments.not_of_this_schedule': 'wizard.notOfThisAccount',
  'end_date.end_before_start': 'editor.rangeInvalid',
  'end_date.in_the_past': 'editor.endPast',
  'end_date.window_too_long': 'editor.windowTooLong',
  'end_date.too_far': 'editor.tooFar',
  'last_attempt_until.too_far': 'editor.tooFar',
  'excluded_dates.end_before_start': 'editor.endBeforeStart',
  'excluded_dates.outside_window': 'editor.excludedOutside',
  'weekdays.out_of_range': 'editor.weekdaysInvalid',
  'earliest_time.unknown': 'editor.timesUnknown',
  'latest_time.unknown': 'editor.timesUnknown',
  'latest_time.end_before_start': 'editor.timesInvalid',
  'fingerprints.out_of_range': 'editor.fingerprintsInvalid',
  'fingerprints.end_before_start': 'editor.fingerprintsOrder',
  'fingerprints.unknown_city': 'editor.fingerprintsCity',
  'fingerprints.too_many': 'editor.fingerprintsCity',
  'required_cities.required': 'editor.cityRequired',
  'required_cities.unknown_city': 'editor.cityRequired',
  'minimum_days_from_current.out_of_range': 'editor.minDaysInvalid',
  'min_improvement_days.out_of_range': 'editor.improvementInvalid',
  'max_reschedules.out_of_range': 'editor.reschedulesInvalid',
};

/**
 * Returns the text for rejected search criteria: by the field and the code that the server names,
 * else by the error code.
 */
export function configureErrorText(error: unknown, fallback: TextKey = 'problem.generic'): TextKey {
  const fields = error instanceof ApiError ? (error.data as { fields?: Record<string, string> } | null)?.fields : null;
  const named = Object.entries(fields ?? {}).map(([field, code]) => criteriaFields[`${field}.${code}`]);
  return named.find((textKey) => textKey !== undefined) ?? errorText(error, fallback);
}
