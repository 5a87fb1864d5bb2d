import { useEffect, useState } from 'react';
import { api } from '../../api/calls.ts';
import { hasCode } from '../../api/errors.ts';
import { CODE_LENGTH } from '../../lib/topupCode.ts';

/** What is known about the code in the field. `unsure`: the check could not be made, using it will tell. */
export type CodeState = 'empty' | 'short' | 'checking' | 'valid' | 'invalid' | 'unsure' | 'throttled';

const WAIT_MS = 500;

/** Checks a whole code 500 ms after the last key. */
export function useCodeCheck(code: string): CodeState {
  const [answer, setAnswer] = useState<{ code: string; state: CodeState } | null>(null);
  useEffect(() => {
    if (code.length < CODE_LENGTH) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      api
        .validateCode(code, abort.signal)
        .then(({ valid }) => setAnswer({ code, state: valid ? 'valid' : 'invalid' }))
        .catch((error: unknown) => {
          if (!abort.signal.aborted) setAnswer({ code, state: hasCode(error, 'TOO_MANY_ATTEMPTS') ? 'throttled' : 'unsure' });
        });
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [code]);
  if (code.length === 0) return 'empty';
  if (code.length < CODE_LENGTH) return 'short';
  return answer?.code === code ? answer.state : 'checking';
}
