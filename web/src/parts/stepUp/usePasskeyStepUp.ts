import { answer, client } from '../../shared/api/client.ts';
import { settleStepUp } from '../../shared/api/stepUp.ts';
import { signWithPasskey } from '../../shared/browser/passkey.ts';
import { useSubmission } from '../../shared/forms/useSubmission.ts';

/** Provides a proof of identity with a passkey. */
export function usePasskeyStepUp() {
  const { submit, sending, error } = useSubmission(async () => {
    const { options } = await answer(client.POST('/auth/passkey/options'));
    const passkey = await signWithPasskey(options);
    await answer(client.POST('/auth/step-up', { body: { passkey } }));
    settleStepUp(true);
  });
  return { prove: () => submit(undefined), proving: sending, error };
}
