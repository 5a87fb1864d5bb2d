import { useCallback, useEffect, useRef, useState } from 'react';

/** What was last answered, and how the newest question fared. */
interface Polled<T> {
  data: T | undefined;
  /** When `data` came, in ms; 0 before the first answer. */
  answeredAt: number;
  /** The last question got no answer. */
  failed: boolean;
  asking: boolean;
  again: () => void;
}

/**
 * Asks at once, then every `everyMs` while the page is seen, and when the network is back. Asked without a network too: whether a
 * server answers is found out by asking. An answer stays until there is a newer one.
 */
export function usePolled<T>(ask: () => Promise<T>, everyMs: number): Polled<T> {
  const [state, setState] = useState<Omit<Polled<T>, 'again'>>({ data: undefined, answeredAt: 0, failed: false, asking: false });
  const question = useRef({ pending: false, askedAt: 0 });
  const again = useCallback(async () => {
    if (question.current.pending) return;
    question.current = { pending: true, askedAt: Date.now() };
    setState((before) => ({ ...before, asking: true }));
    try {
      const data = await ask();
      setState({ data, answeredAt: Date.now(), failed: false, asking: false });
    } catch {
      setState((before) => ({ ...before, failed: true, asking: false }));
    } finally {
      question.current.pending = false;
    }
  }, [ask]);
  useEffect(() => {
    const whenDue = () => {
      if (document.visibilityState === 'visible' && Date.now() - question.current.askedAt >= everyMs) void again();
    };
    const now = () => void again();
    now();
    const timer = setInterval(whenDue, everyMs);
    document.addEventListener('visibilitychange', whenDue);
    window.addEventListener('online', now);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', whenDue);
      window.removeEventListener('online', now);
    };
  }, [again, everyMs]);
  return { ...state, again: () => void again() };
}
