import { useCallback, useEffect, useState } from 'react';
import { exchangeFailure, exchangeOnce, type GoogleReturn, isTooLate, proveWithCode } from '../../parts/account/googleReturn.ts';
import { deleteGoogleRequest, readGoogleRequest } from '../../parts/account/googleSignIn.ts';
import { acceptLogin } from '../../shared/api/session.ts';

/**
 * Provides the return from Google's sign-in. It exchanges the returned token at once. `failure` is
 * the error code.
 */
export function useGoogleReturn(
  back: GoogleReturn,
  onSignedIn: () => unknown,
  onProven: (returnTo: string | null, what: 'step_up' | 'linked') => unknown,
) {
  const [departure] = useState(readGoogleRequest);
  const [failure, setFailure] = useState(back.kind === 'failed' ? back.error : null);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new attempt exchanges again
  useEffect(() => {
    deleteGoogleRequest();
    if (back.kind === 'failed') return;
    if (back.kind === 'step_up' && back.needsCode) {
      setFailure('code');
      return;
    }
    if (back.kind === 'step_up' || back.kind === 'linked') {
      onProven(departure.returnTo, back.kind);
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
  /** Sends a code of the second factor. If it is correct, the next page opens. */
  const sendCode = async (code: string) => {
    try {
      if (back.kind === 'sign_in') {
        acceptLogin(await exchangeOnce(back.refreshToken, code), departure.rememberMe);
        onSignedIn();
      } else {
        await proveWithCode(code);
        onProven(departure.returnTo, 'step_up');
      }
    } catch (error) {
      if (!isTooLate(error)) throw error;
      setFailure('code_late');
    }
  };
  return { departure, failure, tryAgain, sendCode };
}
