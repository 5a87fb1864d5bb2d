import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { answer, client } from '../../shared/api/client.ts';
import { ApiError, hasCode, STEP_UP_DECLINED } from '../../shared/api/errors.ts';
import { storeAddress } from '../../shared/browser/storedAddress.ts';
import { showFieldErrors } from '../../shared/forms/fieldErrors.ts';
import { type EmailForm, emailSchema } from '../../shared/forms/schemas.ts';
import { useSubmission } from '../../shared/forms/useSubmission.ts';

/**
 * Provides the form that changes the mail address. `sentTo` is the address to which the link was
 * sent.
 */
export function useChangeEmailForm(present: string) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm<EmailForm>({ resolver: zodResolver(emailSchema), mode: 'onTouched', defaultValues: { email: '' } });
  const { submit, sending, error } = useSubmission(
    async ({ email }: EmailForm) => {
      if (email.toLowerCase() === present.toLowerCase()) {
        form.setError('email', { type: 'same', message: 'account.emailSame' });
        return;
      }
      const { email_change_sent } = await answer(client.PUT('/auth/profile', { body: { email } }));
      if (!email_change_sent) throw new ApiError('MAIL_NOT_SENT', '', 200);
      storeAddress(email);
      setSentTo(email);
    },
    (refusal) => hasCode(refusal, STEP_UP_DECLINED) || showFieldErrors(refusal, form.setError, ['email']),
  );
  return { form, submit: form.handleSubmit(submit), sending, error, sentTo };
}
