import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { answer, client } from '../../shared/api/client.ts';
import { ApiError } from '../../shared/api/errors.ts';
import { keepAddress } from '../../shared/browser/nextAddress.ts';
import { showFieldErrors } from '../../shared/forms/fieldErrors.ts';
import { type EmailForm, emailSchema } from '../../shared/forms/schemas.ts';
import { readTyped } from '../../shared/forms/typed.ts';
import { useSubmission } from '../../shared/forms/useSubmission.ts';
import { useCountdown } from '../../shared/hooks/useCountdown.ts';

/** The server sends one person at most one such mail a minute. */
const AGAIN_AFTER_S = 60;

/** Asking for a reset link without its looks: the form, with `email` where the page before knows it, then what was sent where, and when it may be sent again. */
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
      keepAddress(email);
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
    /** Whether the link went out more than once. */
    repeated: times > 1,
    againInSeconds,
    sending,
    error,
  };
}
