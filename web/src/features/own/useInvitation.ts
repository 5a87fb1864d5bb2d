import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { answer, client } from '../../shared/api/client.ts';
import { hasCode } from '../../shared/api/errors.ts';
import type { Schemas } from '../../shared/api/types.ts';
import { showFieldErrors } from '../../shared/forms/fieldErrors.ts';
import { type PasswordForm, passwordSchema } from '../../shared/forms/schemas.ts';
import { useSubmission } from '../../shared/forms/useSubmission.ts';
import type { Language } from '../../shared/i18n/language.ts';
import { signInWithToken } from './signIn.ts';

/** State of an invitation: being checked, valid, or the reason why it is invalid. */
export type InvitationState = 'asking' | 'good' | 'used' | 'expired' | 'unchecked';

const stateOf = (error: unknown): InvitationState =>
  hasCode(error, 'TOKEN_EXPIRED') ? 'expired' : hasCode(error, 'INVALID_TOKEN') ? 'used' : 'unchecked';

/**
 * Provides the form that accepts an invitation. It first checks the invitation without consuming
 * it. Sending a password creates the account.
 */
export function useInvitation(token: string, language: Language, onEntered: () => void) {
  const [state, setState] = useState<InvitationState>(token ? 'asking' : 'used');
  const [invitation, setInvitation] = useState<Schemas['InvitationView'] | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  /** True if the account was created but the sign-in failed. */
  const [made, setMade] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt repeats the check
  useEffect(() => {
    if (!token) return;
    const left = new AbortController();
    setState('asking');
    answer(client.GET('/auth/invitation', { params: { query: { token } }, signal: left.signal })).then(
      (found) => {
        setInvitation(found);
        setState('good');
      },
      (error: unknown) => {
        if (left.signal.aborted) return;
        setFailure(error);
        setState(stateOf(error));
      },
    );
    return () => left.abort();
  }, [token, attempt]);
  const form = useForm<PasswordForm>({
    resolver: zodResolver(passwordSchema),
    mode: 'onTouched',
    defaultValues: { password: '', confirmPassword: '' },
  });
  const { submit, sending, done, error } = useSubmission(
    async ({ password }: PasswordForm) => {
      const { refresh_token } = await answer(client.POST('/auth/invitation', { body: { token, password, language } }));
      try {
        await signInWithToken(refresh_token);
      } catch {
        return setMade(true);
      }
      onEntered();
    },
    (refusal) => {
      const now = stateOf(refusal);
      if (now === 'unchecked') return showFieldErrors(refusal, form.setError, ['password']);
      setState(now);
      return true;
    },
  );
  return {
    state,
    invitation,
    /** Error of the check. */
    failure,
    lookAgain: () => setAttempt((count) => count + 1),
    form,
    submit: form.handleSubmit(submit),
    password: useWatch({ control: form.control, name: 'password' }),
    made,
    sending,
    error,
    busy: sending || done,
  };
}
