import { type RefObject, useState } from 'react';
import { useDelayedAction } from '../../shared/hooks/useDelayedAction.ts';
import { useVerify } from './useVerify.ts';
import type { WizardDraft } from './wizardDraft.ts';

/**
 * Reads the account again, with the password of step 1 or a new prompt after a reload. The user can
 * cancel within 1–3 s. No other operation of the step may run meanwhile.
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
    /** Prompts for the password again, as after a refused one. */
    askAgain: () => {
      verify.leave();
      setAsking(true);
    },
    stopAsking: () => setAsking(false),
  };
}

export type Refresh = ReturnType<typeof useRefresh>;
