import { useEffect, useRef, useState } from 'react';

/** Remaining times that are announced, in ms, besides the one at the start. */
const STEPS_MS = [60_000, 10_000];

/**
 * Returns the remaining time for screen readers, in ms: at the start, at 60 s and at 10 s. It is
 * null before the first one, because a live region must exist before its text.
 */
export function useAnnouncement(leftMs: number): number | null {
  const [announced, setAnnounced] = useState<number | null>(null);
  const last = useRef(Number.POSITIVE_INFINITY);
  useEffect(() => {
    const due = STEPS_MS.some((step) => leftMs <= step && last.current > step) || last.current === Number.POSITIVE_INFINITY;
    if (!due || leftMs <= 0) return;
    last.current = leftMs;
    setAnnounced(leftMs);
  }, [leftMs]);
  return announced;
}
