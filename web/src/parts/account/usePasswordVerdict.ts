import { useEffect, useState } from 'react';
import { isCommon, isContext } from '../../shared/forms/commonPasswords.ts';

/** Pause in typing after which the request is sent. */
const PAUSE_MS = 250;

export type PasswordVerdict = 'asking' | 'common' | 'context' | 'own' | 'untold';

/**
 * Returns the result of comparing a password with common passwords and with its context, updated
 * while the user types. Without an answer of the server it is `untold`.
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
