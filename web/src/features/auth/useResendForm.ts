import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { answer, client } from '../../shared/api/client.ts';
import { storeAddress } from '../../shared/browser/storedAddress.ts';
import { showFieldErrors } from '../../shared/forms/fieldErrors.ts';
import { type EmailForm, emailSchema } from '../../shared/forms/schemas.ts';
import { readTyped } from '../../shared/forms/typed.ts';
import { useSubmission } from '../../shared/forms/useSubmission.ts';

/**
 * Provides the form that requests another verification mail. `email` is the address that the
 * previous page passed on.
 */
export function useResendForm(email: string | undefined) {
  const [typed] = useState(() => readTyped({ email: '' }));
  const form = useForm<EmailForm>({ resolver: zodResolver(emailSchema), mode: 'onTouched', defaultValues: typed });
  const { getValues, setValue } = form;
  useEffect(() => {
    if (email && !getValues('email')) setValue('email', email);
  }, [email, getValues, setValue]);
  const { submit, sending, done, error } = useSubmission(
    async ({ email }: EmailForm) => {
      await answer(client.POST('/auth/resend-verification', { body: { email } }));
      storeAddress(email);
    },
    (refusal) => showFieldErrors(refusal, form.setError, ['email']),
  );
  return { form, submit: form.handleSubmit(submit), sending, done, error };
}
