import { useCallback, useEffect, useRef, useState } from 'react';

/** Where a delayed action is: counting down (and can be undone), running, or at rest. */
export type DelayedPhase = 'idle' | 'counting' | 'running';

const SHORTEST_MS = 1_000;
const LONGEST_MS = 3_000;
const TICK_MS = 100;

/**
 * Runs `action` after a random 1 to 3 s during which it can be undone; a second start while one is under way is ignored.
 * `leftMs` and `totalMs` drive the countdown's picture.
 */
export function useDelayedAction(action: () => Promise<unknown>) {
  const [phase, setPhase] = useState<DelayedPhase>('idle');
  const [leftMs, setLeftMs] = useState(0);
  const totalMs = useRef(0);
  const timer = useRef<ReturnType<typeof setInterval>>(undefined);
  const latest = useRef(action);
  latest.current = action;

  useEffect(() => () => clearInterval(timer.current), []);

  const undo = useCallback(() => {
    clearInterval(timer.current);
    setPhase('idle');
  }, []);

  const start = useCallback(() => {
    if (phase !== 'idle') return;
    totalMs.current = SHORTEST_MS + Math.floor(Math.random() * (LONGEST_MS - SHORTEST_MS));
    const due = Date.now() + totalMs.current;
    setLeftMs(totalMs.current);
    setPhase('counting');
    timer.current = setInterval(() => {
      const left = due - Date.now();
      setLeftMs(Math.max(0, left));
      if (left > 0) return;
      clearInterval(timer.current);
      setPhase('running');
      latest.current().finally(() => setPhase('idle'));
    }, TICK_MS);
  }, [phase]);

  return { phase, leftMs, totalMs: totalMs.current, start, undo };
}
