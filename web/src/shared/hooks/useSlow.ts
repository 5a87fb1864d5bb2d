import { useEffect, useState } from 'react';

const SLOW_MS = 4_000;

/** Returns whether `waiting` has been true for a while, so that a text can explain the wait. */
export function useSlow(waiting: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!waiting) return;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [waiting]);
  return slow;
}
