import { type RefObject, useState } from 'react';
import { useDelayedAction } from '../../shared/hooks/useDelayedAction.ts';
import { useVerify } from './useVerify.ts';
import type { WizardDraft } from './wizardDraft.ts';

/**
 * Provides the refresh of the portal account's data. It uses the password of step 1, or asks for it
 * after a reload. The user can cancel it for 1 to 3 s. Other operations of the step are disabled
 * during the refresh.
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
    /** Asks for the password again, for example after the portal refused it. */
    askAgain: () => {
      verify.leave();
      setAsking(true);
    },
    stopAsking: () => setAsking(false),
  };
}

export type Refresh = ReturnType<typeof useRefresh>;
