import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { answer, client } from '../../shared/api/client.ts';
import { ApiError } from '../../shared/api/errors.ts';
import { storeAddress } from '../../shared/browser/storedAddress.ts';
import { showFieldErrors } from '../../shared/forms/fieldErrors.ts';
import { type EmailForm, emailSchema } from '../../shared/forms/schemas.ts';
import { readTyped } from '../../shared/forms/typed.ts';
import { useSubmission } from '../../shared/forms/useSubmission.ts';
import { useCountdown } from '../../shared/hooks/useCountdown.ts';

/** Shortest interval between two such mails to one address. */
const AGAIN_AFTER_S = 60;

/**
 * Provides the form that requests a reset link. Its field is prefilled with `email`, if known.
 * After sending, it provides the address and the wait until another mail.
 */
export function useForgotForm(email: string | undefined) {
  const [typed] = useState(() => readTyped({ email: '' }));
  const form = useForm<EmailForm>({ resolver: zodResolver(emailSchema), mode: 'onTouched', defaultValues: typed });
  const { getValues, setValue } = form;
  useEffect(() => {
    if (email && !getValues('email')) setValue('email', email);
  }, [email, getValues, setValue]);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [times, setTimes] = useState(0);
  const [againInSeconds, waitFor] = useCountdown();
  const { submit, sending, error, clear } = useSubmission(
    async ({ email }: EmailForm) => {
      await answer(client.POST('/auth/forgot-password', { body: { email } }));
      storeAddress(email);
      setSentTo(email);
      setTimes((count) => count + 1);
      waitFor(AGAIN_AFTER_S);
    },
    (refusal) => {
      if (refusal instanceof ApiError && refusal.retryAfter) waitFor(refusal.retryAfter);
      return showFieldErrors(refusal, form.setError, ['email']);
    },
  );
  const startOver = () => {
    setSentTo(null);
    setTimes(0);
    waitFor(0);
    clear();
  };
  return {
    form,
    submit: form.handleSubmit(submit),
    sendAgain: () => sentTo && submit({ email: sentTo }),
    startOver,
    sentTo,
    /** True if the link was sent more than once. */
    repeated: times > 1,
    againInSeconds,
    sending,
    error,
  };
}
