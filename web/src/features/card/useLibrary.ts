import type { Stripe } from '@stripe/stripe-js';
import { useEffect, useState } from 'react';
import { beginLibrary, LIBRARY_WAIT_MS, NotBegun } from './library.ts';
import { postToParent } from './parent.ts';

/**
 * Returns the provider's library once it has loaded, or the error code if it failed. The parent
 * page gets the code too.
 */
export function useLibrary(language: string): { library: Stripe | null; problem: string | null } {
  const [library, setLibrary] = useState<Stripe | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const wait = new AbortController();
    let gone = false;
    const timer = setTimeout(() => wait.abort(), LIBRARY_WAIT_MS);
    beginLibrary(language, wait.signal)
      .then((found) => !gone && setLibrary(found))
      .catch((error: unknown) => {
        if (gone) return;
        const code = wait.signal.aborted ? 'not_loaded' : error instanceof NotBegun ? error.code : 'init_failed';
        setProblem(code);
        postToParent({ type: 'failed', code });
      })
      .finally(() => clearTimeout(timer));
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [language]);
  return { library, problem };
}
