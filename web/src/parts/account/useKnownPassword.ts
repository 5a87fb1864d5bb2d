import { useEffect, useState } from 'react';
import { isCommon, isContext } from '../../shared/forms/commonPasswords.ts';

/** Pause in typing before a request. */
const PAUSE_MS = 250;

export type Known = 'asking' | 'common' | 'context' | 'own' | 'untold';

/**
 * Returns whether a password that meets all rules is a commonly guessed one. It is checked during
 * typing.
 */
export function useKnownPassword(password: string, email: string, asked: boolean): Known {
  const [judged, setJudged] = useState<{ password: string; known: Known }>({ password: '', known: 'asking' });
  useEffect(() => {
    if (!asked) return;
    let current = true;
    const timer = setTimeout(() => {
      void isCommon(password).then((common) => {
        if (current) setJudged({ password, known: common === null ? 'untold' : common ? 'common' : 'own' });
      });
    }, PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [password, asked]);
  if (isContext(password, email)) return 'context';
  return judged.password === password ? judged.known : 'asking';
}
