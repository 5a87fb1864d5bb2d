import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { answer, client } from '../../shared/api/client.ts';
import { ApiError } from '../../shared/api/errors.ts';
import { storeAddress, storedAddress } from '../../shared/browser/storedAddress.ts';
import { showFieldErrors } from '../../shared/forms/fieldErrors.ts';
import { emailSchema } from '../../shared/forms/schemas.ts';
import { useSubmission } from '../../shared/forms/useSubmission.ts';
import { useCountdown } from '../../shared/hooks/useCountdown.ts';
import { usePageMessage } from '../../shared/hooks/usePageMessage.ts';

/** Wait until another mail. The server sends at most one a minute, a moment after the request. */
const AGAIN_AFTER_S = 65;

const schema = z.extend(emailSchema, { rememberMe: z.boolean() });
type SignInLinkRequest = z.infer<typeof schema>;

/**
 * Provides the form that requests a sign-in link. After sending, it provides the address and the
 * wait until another mail.
 */
export function useSignInLinkForm() {
  const passedOn = usePageMessage()?.email;
  const form = useForm<SignInLinkRequest>({
    resolver: zodResolver(schema),
    mode: 'onTouched',
    defaultValues: { email: '', rememberMe: false },
  });
  const { getValues, setValue } = form;
  useEffect(() => {
    const known = passedOn ?? storedAddress();
    if (known && !getValues('email')) setValue('email', known);
  }, [passedOn, getValues, setValue]);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [againInSeconds, waitFor] = useCountdown();
  const { submit, sending, error, clear } = useSubmission(
    async (body: SignInLinkRequest) => {
      await answer(client.POST('/auth/sign-in-link', { body }));
      storeAddress(body.email);
      setSentTo(body.email);
      waitFor(AGAIN_AFTER_S);
    },
    (refusal) => {
      if (refusal instanceof ApiError && refusal.retryAfter) waitFor(refusal.retryAfter);
      return showFieldErrors(refusal, form.setError, ['email']);
    },
  );
  const startOver = () => {
    setSentTo(null);
    waitFor(0);
    clear();
  };
  const send = form.handleSubmit((body) => submit(body));
  return { form, submit: send, sendAgain: () => void send(), startOver, sentTo, againInSeconds, sending, error };
}
