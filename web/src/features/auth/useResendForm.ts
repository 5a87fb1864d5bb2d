import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { api } from '../../shared/api/calls.ts';
import { showFieldErrors } from '../../shared/forms/fieldErrors.ts';
import { type EmailForm, emailSchema } from '../../shared/forms/schemas.ts';
import { useSubmission } from '../../shared/forms/useSubmission.ts';

/** Asking for the verification mail once more, without its looks. */
export function useResendForm(email: string) {
  const form = useForm<EmailForm>({ resolver: zodResolver(emailSchema), mode: 'onTouched', defaultValues: { email } });
  const { submit, sending, done, error } = useSubmission(
    async (values: EmailForm) => {
      await api.resendVerification(values.email);
    },
    (refusal) => showFieldErrors(refusal, form.setError, ['email']),
  );
  return { form, submit: form.handleSubmit(submit), sending, done, error };
}
