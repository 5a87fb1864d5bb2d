import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { answer, client } from '../../shared/api/client.ts';
import { ApiError, hasCode } from '../../shared/api/errors.ts';
import { acceptLogin } from '../../shared/api/session.ts';
import { signWithPasskey } from '../../shared/browser/passkey.ts';
import { deleteAddress, storedAddress } from '../../shared/browser/storedAddress.ts';
import {
  appCodeSchema,
  bareCode,
  type CodeForm,
  type LoginForm,
  loginSchema,
  recoveryCodeSchema,
} from '../../shared/forms/schemas.ts';
import { readTyped } from '../../shared/forms/typed.ts';
import { useSubmission } from '../../shared/forms/useSubmission.ts';

interface Options {
  /** Address that the previous page passed on, if any. */
  email: string | undefined;
  /**
   * Token of the mailed link that the user opened before. Signing in with the password verifies its
   * address.
   */
  link: string | undefined;
  /** Time in ms for which the success message is shown before the session starts. */
  delayMs: number;
}

async function signIn(form: LoginForm, extra: { totp_code?: string; link?: string }) {
  const login = await answer(client.POST('/auth/login', { body: { ...form, ...extra } }));
  if (!login?.access_token || !login.refresh_token || !login.user)
    throw new ApiError('RESPONSE_FORMAT_ERROR', 'Unexpected response format', 200);
  return login;
}

/**
 * Provides the sign-in form: mail address and password, then the second factor if the account has
 * one.
 */
export function useLoginForm({ email, link, delayMs }: Options) {
  const [step, setStep] = useState<'password' | 'code'>('password');
  const [typed] = useState(() => readTyped({ username: '', password: '', rememberMe: false }));
  const form = useForm<LoginForm>({
    resolver: zodResolver(loginSchema),
    mode: 'onTouched',
    defaultValues: typed,
  });
  const { getValues, setValue } = form;
  useEffect(() => {
    const known = email ?? storedAddress();
    if (known && !getValues('username')) setValue('username', known);
  }, [email, getValues, setValue]);
  const [recovery, setRecovery] = useState(false);
  const codeForm = useForm<CodeForm>({
    resolver: zodResolver(recovery ? recoveryCodeSchema : appCodeSchema),
    mode: 'onSubmit',
    defaultValues: { code: '' },
  });
  const login = useSubmission(
    async ({ values, code }: { values: LoginForm; code?: string }) => {
      const signedIn = await signIn(values, { ...(code ? { totp_code: code } : {}), ...(link ? { link } : {}) });
      deleteAddress();
      // Not cancelled if the user leaves the page, because the sign-in has succeeded.
      setTimeout(() => acceptLogin(signedIn, values.rememberMe), delayMs);
    },
    (error) => {
      if (hasCode(error, 'TOTP_REQUIRED')) {
        setStep('code');
        return true;
      }
      if (hasCode(error, 'TOTP_INVALID')) {
        codeForm.setError('code', { type: 'server', message: 'auth.totpWrong' });
        return true;
      }
      if (hasCode(error, 'INVALID_CREDENTIALS', 'EMAIL_NOT_VERIFIED')) setStep('password');
      return false;
    },
  );
  const passkey = useSubmission(async (rememberMe: boolean) => {
    const { options } = await answer(client.POST('/auth/passkey/options'));
    const credential = await signWithPasskey(options);
    const signedIn = await answer(client.POST('/auth/passkey', { body: { credential, rememberMe } }));
    deleteAddress();
    acceptLogin(signedIn, rememberMe);
  });
  const submit = form.handleSubmit((values) => login.submit({ values }));
  const submitCode = codeForm.handleSubmit(({ code }) => login.submit({ values: form.getValues(), code: bareCode(code) }));
  const startOver = () => {
    login.clear();
    codeForm.reset();
    setRecovery(false);
    form.resetField('password', { defaultValue: '' });
    setStep('password');
  };
  const swapCode = () => {
    login.clear();
    codeForm.reset();
    setRecovery(!recovery);
  };
  const { sending, done, error } = login;
  const busy = sending || done || passkey.sending || passkey.done;
  return { step, form, codeForm, recovery, submit, submitCode, swapCode, startOver, passkey, sending, done, error, busy };
}
