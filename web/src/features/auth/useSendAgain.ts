import { answer, client } from '../../shared/api/client.ts';
import { ApiError } from '../../shared/api/errors.ts';
import { useSubmission } from '../../shared/forms/useSubmission.ts';
import { useCountdown } from '../../shared/hooks/useCountdown.ts';

/** Shortest interval between two verification mails to one address. */
const AGAIN_AFTER_S = 60;

/** Provides the button that requests another verification mail, after a wait. */
export function useSendAgain() {
  const [againInSeconds, waitFor] = useCountdown(AGAIN_AFTER_S);
  const { submit, sending, done, error } = useSubmission(
    async (email: string) => {
      await answer(client.POST('/auth/resend-verification', { body: { email } }));
      waitFor(AGAIN_AFTER_S);
    },
    (refusal) => {
      if (refusal instanceof ApiError && refusal.retryAfter) waitFor(refusal.retryAfter);
      return false;
    },
  );
  return { sendAgain: submit, againInSeconds, sending, done, error };
}
