import { useState } from 'react';
import { useDelayedAction } from '../../shared/hooks/useDelayedAction.ts';
import { useVerify } from './useVerify.ts';
import { heldPassword, type WizardDraft } from './wizardDraft.ts';

/**
 * Reads the account anew: after the 1–3 s in which it can be undone, with the password of this page's life or, after a
 * reload, with one that is asked for. While it is under way nothing else of the step may run.
 */
export function useRefresh(draft: WizardDraft, onRefreshed: () => void) {
  const [asking, setAsking] = useState(false);
  const verify = useVerify(draft.userId, onRefreshed);
  const delayed = useDelayedAction(async () => {
    const { username, countryCode, visaType } = draft;
    verify.start({ username: username.trim(), password: heldPassword.value, countryCode, visaType }, true);
  });
  return {
    asking,
    delayed,
    verify,
    busy: delayed.phase !== 'idle' || verify.busy,
    ask: () => (heldPassword.value ? delayed.start() : setAsking(true)),
    withPassword: (password: string) => {
      heldPassword.value = password;
      setAsking(false);
      delayed.start();
    },
    /** Asks for the password again, as after one that was refused. */
    askAgain: () => {
      verify.leave();
      setAsking(true);
    },
    stopAsking: () => setAsking(false),
  };
}

export type Refresh = ReturnType<typeof useRefresh>;
