import { useCallback, useEffect, useRef, useState } from 'react';

/** What was last answered, and how the newest request fared. */
interface Polled<T> {
  data: T | undefined;
  /** When `data` came, in ms; 0 before the first answer. */
  dataUpdatedAt: number;
  /** The last request got no answer. */
  isError: boolean;
  isFetching: boolean;
  refetch: () => void;
}

/**
 * Asks at once, then every `everyMs` while the page is seen, and when the network is back. Asked without a network too: whether a
 * server answers is found out by asking. An answer stays until there is a newer one.
 */
export function usePolled<T>(fetcher: () => Promise<T>, everyMs: number): Polled<T> {
  const [state, setState] = useState<Omit<Polled<T>, 'refetch'>>({
    data: undefined,
    dataUpdatedAt: 0,
    isError: false,
    isFetching: false,
  });
  const request = useRef({ pending: false, startedAt: 0 });
  const refetch = useCallback(async () => {
    if (request.current.pending) return;
    request.current = { pending: true, startedAt: Date.now() };
    setState((before) => ({ ...before, isFetching: true }));
    try {
      const data = await fetcher();
      setState({ data, dataUpdatedAt: Date.now(), isError: false, isFetching: false });
    } catch {
      setState((before) => ({ ...before, isError: true, isFetching: false }));
    } finally {
      request.current.pending = false;
    }
  }, [fetcher]);
  useEffect(() => {
    const whenDue = () => {
      if (document.visibilityState === 'visible' && Date.now() - request.current.startedAt >= everyMs) void refetch();
    };
    const now = () => void refetch();
    now();
    const timer = setInterval(whenDue, everyMs);
    document.addEventListener('visibilitychange', whenDue);
    window.addEventListener('online', now);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', whenDue);
      window.removeEventListener('online', now);
    };
  }, [refetch, everyMs]);
  return { ...state, refetch: () => void refetch() };
}
