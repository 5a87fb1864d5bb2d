import { useEffect, useState } from 'react';

/** Returns the current time in ms, updated every `everyMs` ms. With 0 it is not updated. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (everyMs <= 0) return;
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
