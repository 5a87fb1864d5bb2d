import { useEffect, useState } from 'react';
import { answer, client } from '../../shared/api/client.ts';
import { ApiError, hasCode } from '../../shared/api/errors.ts';
import { CODE_LENGTH } from './topupCode.ts';

/**
 * State of the code in the field. `unsure` means that the check failed, so that only redeeming the
 * code shows whether it is valid.
 */
export type CodeState = 'empty' | 'short' | 'checking' | 'valid' | 'invalid' | 'unsure' | 'throttled';

interface CheckedCode {
  code: string;
  state: CodeState;
  /** Time at which the next check is permitted, in ms, if the server limits the checks. */
  until: number;
}

const WAIT_MS = 500;

/** Returns the state of a code. A complete code is checked once, 500 ms after the last key. */
export function useCodeCheck(code: string): { state: CodeState; until: number } {
  const [last, setLast] = useState<CheckedCode | null>(null);
  useEffect(() => {
    if (code.length < CODE_LENGTH) return;
    const abort = new AbortController();
    const record = (state: CodeState, waitSeconds = 0) =>
      setLast({ code, state, until: waitSeconds > 0 ? Date.now() + waitSeconds * 1_000 : 0 });
    const timer = setTimeout(() => {
      answer(client.POST('/topup/validate', { body: { code }, signal: abort.signal }))
        .then(({ valid }) => record(valid ? 'valid' : 'invalid'))
        .catch((error: unknown) => {
          if (abort.signal.aborted) return;
          const wait = error instanceof ApiError ? (error.retryAfter ?? 0) : 0;
          record(hasCode(error, 'TOO_MANY_ATTEMPTS') ? 'throttled' : 'unsure', wait);
        });
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [code]);
  if (code.length === 0) return { state: 'empty', until: 0 };
  if (code.length < CODE_LENGTH) return { state: 'short', until: 0 };
  return last?.code === code ? last : { state: 'checking', until: 0 };
}
