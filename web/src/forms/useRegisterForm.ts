import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, useWatch } from 'react-hook-form';
import { api } from '../api/calls.ts';
import type { Language } from '../i18n/language.ts';
import { forgetReferral } from '../lib/referral.ts';
import { showFieldErrors } from './fieldErrors.ts';
import { type RegisterForm, registerSchema } from './schemas.ts';
import { useLater, useSubmission } from './useSubmission.ts';

interface Options {
  language: Language;
  /** A friend's code, or empty. */
  referral: string;
  /** How long the success is shown before `onDone`. */
  delayMs: number;
  onDone: (email: string) => void;
}

/** Registration without its looks: fields, rules, sending, and what to do some time after success. */
export function useRegisterForm({ language, referral, delayMs, onDone }: Options) {
  const form = useForm<RegisterForm>({
    resolver: zodResolver(registerSchema),
    mode: 'onTouched',
    defaultValues: { email: '', password: '', confirmPassword: '' },
  });
  const later = useLater();
  const { submit, sending, done, error } = useSubmission(
    async ({ email, password }: RegisterForm) => {
      const code = referral.trim();
      await api.register({ username: email, email, password, language, ...(code ? { referral_code: code } : {}) });
      forgetReferral();
      later(() => onDone(email), delayMs);
    },
    (refusal) => showFieldErrors(refusal, form.setError, ['email', 'password']),
  );
  return {
    form,
    submit: form.handleSubmit(submit),
    password: useWatch({ control: form.control, name: 'password' }),
    sending,
    done,
    error,
    busy: sending || done,
  };
}
