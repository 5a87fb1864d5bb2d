import type { FieldValues, Path, UseFormSetError } from 'react-hook-form';
import { ApiError } from '../api/errors.ts';
import type { TextKey } from '../i18n/textKey.ts';

type Complaints = Record<string, Partial<Record<string, TextKey>>>;

/** Texts for the server's validation codes, by field. */
export const complaints: Complaints = {
  email: { required: 'auth.emailRequired', invalid: 'auth.emailInvalid' },
  username: { required: 'auth.emailRequired', invalid: 'auth.emailInvalid' },
  password: {
    required: 'auth.passwordRequired',
    too_short: 'auth.passwordShort',
    too_long: 'auth.passwordLong',
    classes: 'auth.passwordClasses',
    common: 'auth.passwordCommon',
    context: 'auth.passwordContext',
  },
};

/**
 * Shows the server's validation errors at their fields. Returns true if every named field has a
 * text.
 */
export function showFieldErrors<F extends FieldValues>(
  error: unknown,
  setError: UseFormSetError<F>,
  names: readonly Path<F>[],
  texts: Complaints = complaints,
): boolean {
  if (!(error instanceof ApiError) || error.code !== 'VALIDATION_FAILED') return false;
  const fields = Object.entries((error.data as { fields?: Record<string, string> } | null)?.fields ?? {});
  const known = fields.flatMap(([field, code]) => {
    const name = names.find((one) => one === field);
    const message = texts[field]?.[code];
    return name && message ? [{ name, message }] : [];
  });
  for (const { name, message } of known) setError(name, { type: 'server', message });
  return known.length > 0 && known.length === fields.length;
}
