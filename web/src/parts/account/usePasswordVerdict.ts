import { useEffect, useState } from 'react';
import { isCommon, isContext } from '../../shared/forms/commonPasswords.ts';

/** Pause in typing before a request. */
const PAUSE_MS = 250;

export type PasswordVerdict = 'asking' | 'common' | 'context' | 'own' | 'untold';

/**
 * Returns whether a password that meets all rules is a commonly guessed one. It is checked during
 * typing.
 */
export function usePasswordVerdict(password: string, email: string, enabled: boolean): PasswordVerdict {
  const [checked, setChecked] = useState<{ password: string; verdict: PasswordVerdict }>({ password: '', verdict: 'asking' });
  useEffect(() => {
    if (!enabled) return;
    let current = true;
    const timer = setTimeout(() => {
      void isCommon(password).then((common) => {
        if (current) setChecked({ password, verdict: common === null ? 'untold' : common ? 'common' : 'own' });
      });
    }, PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [password, enabled]);
  if (isContext(password, email)) return 'context';
  return checked.password === password ? checked.verdict : 'asking';
}
