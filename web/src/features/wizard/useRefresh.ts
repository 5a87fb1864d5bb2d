import { type RefObject, useState } from 'react';
import { useDelayedAction } from '../../shared/hooks/useDelayedAction.ts';
import { useVerify } from './useVerify.ts';
import type { WizardDraft } from './wizardDraft.ts';

/**
 * Reads the account anew: after the 1–3 s in which it can be undone, with the password typed in step 1 or, after a
 * reload, with one that is asked for. While it is under way nothing else of the step may run.
 */
export function useRefresh(draft: WizardDraft, held: RefObject<string>) {
  const [asking, setAsking] = useState(false);
  const verify = useVerify(draft.userId);
  const delayed = useDelayedAction(async () => {
    const { username, countryCode, visaType } = draft;
    verify.start({ username: username.trim(), password: held.current, countryCode, visaType }, true);
  });
  return {
    asking,
    delayed,
    verify,
    busy: delayed.phase !== 'idle' || verify.busy,
    ask: () => (held.current ? delayed.start() : setAsking(true)),
    withPassword: (password: string) => {
      held.current = password;
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
