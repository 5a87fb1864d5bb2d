import { useCallback, useEffect, useRef, useState } from 'react';

/** Last response, and the outcome of the latest request. */
interface Polled<T> {
  data: T | undefined;
  /** Time of `data` in ms, or 0 before the first response. */
  dataUpdatedAt: number;
  /** True if the latest request failed. */
  isError: boolean;
  isFetching: boolean;
  refetch: () => void;
}

/**
 * Calls `fetcher` at once, then every `everyMs` while the page is visible, and when the network
 * returns. It also does so if the browser reports no network, because that report may be wrong. The
 * last response stays until a newer one arrives.
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
