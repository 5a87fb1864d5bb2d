import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { exchangeOnce, isTooLate } from '../../parts/account/googleReturn.ts';
import { answer, client } from '../../shared/api/client.ts';
import { hasCode } from '../../shared/api/errors.ts';
import { acceptLogin } from '../../shared/api/session.ts';
import type { SignInLinkResult } from '../../shared/api/types.ts';
import { storePageMessage } from '../../shared/browser/pageMessage.ts';
import { deleteAddress } from '../../shared/browser/storedAddress.ts';
import { showFieldErrors } from '../../shared/forms/fieldErrors.ts';
import { useSubmission } from '../../shared/forms/useSubmission.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { nextOf } from '../../shared/routing/origin.ts';

const text = (key: TextKey) => key;
const codeSchema = z.object({ code: z.string().check(z.trim(), z.minLength(1, text('signInLink.codeRequired'))) });
const codeErrors = { code: { required: text('signInLink.codeRequired'), wrong: text('signInLink.codeWrong') } };

/** A sign-in that needs a code of the second factor. */
type Started = SignInLinkResult;

/**
 * Provides the sign-in with a mailed link: with its token, or with the code that it shows in
 * another browser. Both may need a code of the second factor afterwards.
 */
export function useLinkSignIn() {
  const navigate = useNavigate();
  const [waiting, setWaiting] = useState<Started | null>(null);
  const [tooLate, setTooLate] = useState(false);
  const codeForm = useForm<z.infer<typeof codeSchema>>({ resolver: zodResolver(codeSchema), defaultValues: { code: '' } });
  const finish = async ({ refresh_token, remembered, first_proof }: Started, code?: string) => {
    acceptLogin(await exchangeOnce(refresh_token, code), remembered);
    deleteAddress();
    if (first_proof) storePageMessage({ greeting: 'passwordRemoved' });
    navigate(nextOf(window.location.search), { replace: true });
  };
  const { submit, sending, done, error, clear } = useSubmission(
    async (body: { token: string } | { code: string }) => {
      setTooLate(false);
      const started = await answer(client.POST('/auth/sign-in-link/use', { body }));
      try {
        await finish(started);
      } catch (failure) {
        if (!hasCode(failure, 'TOTP_REQUIRED')) throw failure;
        setWaiting(started);
      }
    },
    (failure) => showFieldErrors(failure, codeForm.setError, ['code'], codeErrors),
  );
  /** Sends the code of the second factor. */
  const sendCode = async (code: string) => {
    if (!waiting) return;
    try {
      await finish(waiting, code);
    } catch (failure) {
      if (!isTooLate(failure)) throw failure;
      clear();
      setTooLate(true);
      setWaiting(null);
    }
  };
  return {
    sendToken: (token: string) => submit({ token }),
    /** Form for the code that the link shows in another browser. */
    codeForm,
    sendLinkCode: codeForm.handleSubmit(({ code }) => submit({ code })),
    needsCode: waiting !== null,
    sendCode,
    tooLate,
    busy: sending || done,
    error,
  };
}
