import { useCallback, useEffect, useState } from 'react';
import { exchangeFailure, exchangeOnce, type GoogleReturn } from '../../parts/account/googleReturn.ts';
import { forgetDeparture, readDeparture } from '../../parts/account/googleSignIn.ts';
import { acceptLogin } from '../../shared/api/session.ts';

/** The return from Google without its looks: exchanges what came back, at once; `failure` names what went wrong. */
export function useGoogleReturn(
  back: GoogleReturn,
  onSignedIn: () => unknown,
  onSteppedUp: (returnTo: string | null) => unknown,
) {
  const [departure] = useState(readDeparture);
  const [failure, setFailure] = useState(back.kind === 'failed' ? back.error : null);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what came back never changes; a new attempt exchanges again
  useEffect(() => {
    forgetDeparture();
    if (back.kind === 'failed') return;
    if (back.kind === 'step_up') {
      onSteppedUp(departure.returnTo);
      return;
    }
    let gone = false;
    exchangeOnce(back.refreshToken)
      .then((answer) => {
        if (gone) return;
        acceptLogin(answer, departure.rememberMe);
        onSignedIn();
      })
      .catch((error: unknown) => {
        if (!gone) setFailure(exchangeFailure(error));
      });
    return () => {
      gone = true;
    };
  }, [attempt]);
  const tryAgain = useCallback(() => {
    setFailure(null);
    setAttempt((count) => count + 1);
  }, []);
  return { departure, failure, tryAgain };
}
