import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { answer, client } from '../../shared/api/client.ts';
import { storeAddress } from '../../shared/browser/storedAddress.ts';
import { showFieldErrors } from '../../shared/forms/fieldErrors.ts';
import { type RegisterForm, registerSchema } from '../../shared/forms/schemas.ts';
import { readTyped } from '../../shared/forms/typed.ts';
import { useLater, useSubmission } from '../../shared/forms/useSubmission.ts';
import type { Language } from '../../shared/i18n/language.ts';
import { forgetReferral } from './referral.ts';

interface Options {
  language: Language;
  /** Referral code, or an empty string. */
  referral: string;
  /** Mail address that the previous page passed on. */
  known: string | undefined;
  /** Time in ms for which the success message is shown before `onDone` is called. */
  delayMs: number;
  onDone: (email: string) => void;
}

/**
 * Provides the registration form: its fields, rules and submission. Calls `onDone` some time after
 * a success.
 */
export function useRegisterForm({ language, referral, known, delayMs, onDone }: Options) {
  // The user may type into a prerendered form before its code loads. The form keeps those values.
  const [typed] = useState(() => readTyped({ email: '', password: '', confirmPassword: '' }));
  const form = useForm<RegisterForm>({ resolver: zodResolver(registerSchema), mode: 'onTouched', defaultValues: typed });
  const { getValues, setValue } = form;
  useEffect(() => {
    if (known && !getValues('email')) setValue('email', known);
  }, [known, getValues, setValue]);
  const password = useWatch({ control: form.control, name: 'password' });
  const address = useWatch({ control: form.control, name: 'email' });
  // The first render must equal the prerendered document, which does not know the typed values.
  const [first, setFirst] = useState(true);
  useEffect(() => setFirst(false), []);
  const later = useLater();
  const { submit, sending, done, error } = useSubmission(
    async ({ email, password }: RegisterForm) => {
      const code = referral.trim();
      const body = { username: email, email, password, language, ...(code ? { referral_code: code } : {}) };
      await answer(client.POST('/auth/register', { body }));
      forgetReferral();
      storeAddress(email);
      later(() => onDone(email), delayMs);
    },
    (refusal) => showFieldErrors(refusal, form.setError, ['email', 'password']),
  );
  return {
    form,
    submit: form.handleSubmit(submit),
    password: first ? '' : password,
    email: address,
    sending,
    done,
    error,
    busy: sending || done,
  };
}
