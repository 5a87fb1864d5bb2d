import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { answer, client } from '../../shared/api/client.ts';
import { hasCode } from '../../shared/api/errors.ts';
import { complaints, showFieldErrors } from '../../shared/forms/fieldErrors.ts';
import { type ResetForm, resetSchema } from '../../shared/forms/schemas.ts';
import { useLater, useSubmission } from '../../shared/forms/useSubmission.ts';

/** State of the link: being checked, valid, or the reason why it is invalid. */
export type LinkState = 'verifying' | 'valid' | 'missing' | 'invalid' | 'expired' | 'unchecked';

interface Options {
  /** Token in the address, or null until the address is known. */
  token: string | null;
  /** Time in ms for which the success message is shown before `onDone` is called. */
  delayMs: number;
  onDone: () => void;
}

const texts = { password: { ...complaints.password, classes: 'auth.resetClasses' } } as const;

/**
 * Provides the form that sets a password with a mailed link. It first checks the link, without
 * consuming it.
 */
export function useResetForm({ token, delayMs, onDone }: Options) {
  const [link, setLink] = useState<LinkState>(token === '' ? 'missing' : 'verifying');
  const [failure, setFailure] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt repeats the check
  useEffect(() => {
    if (token === null) return;
    if (!token) return setLink('missing');
    const left = new AbortController();
    setLink('verifying');
    answer(client.GET('/auth/verify-reset-token', { params: { query: { token } }, signal: left.signal }))
      .then(({ valid, reason }) => setLink(valid ? 'valid' : reason === 'expired' ? 'expired' : 'invalid'))
      .catch((error: unknown) => {
        if (left.signal.aborted) return;
        setFailure(error);
        setLink(hasCode(error, 'TOKEN_EXPIRED') ? 'expired' : hasCode(error, 'INVALID_TOKEN') ? 'invalid' : 'unchecked');
      });
    return () => left.abort();
  }, [token, attempt]);

  const form = useForm<ResetForm>({
    resolver: zodResolver(resetSchema),
    mode: 'onTouched',
    defaultValues: { password: '', confirmPassword: '' },
  });
  const later = useLater();
  const { submit, sending, done, error } = useSubmission(
    async ({ password }: ResetForm) => {
      await answer(client.POST('/auth/reset-password', { body: { token: token ?? '', password } }));
      later(onDone, delayMs);
    },
    (refusal) => {
      if (hasCode(refusal, 'TOKEN_EXPIRED')) setLink('expired');
      else if (hasCode(refusal, 'INVALID_TOKEN')) setLink('invalid');
      else return showFieldErrors(refusal, form.setError, ['password'], texts);
      return true;
    },
  );
  return {
    link,
    /** Error of the check of the link. */
    failure,
    checkAgain: () => setAttempt((count) => count + 1),
    form,
    submit: form.handleSubmit(submit),
    password: useWatch({ control: form.control, name: 'password' }),
    sending,
    done,
    error,
    busy: sending || done,
  };
}
