import { useCallback, useEffect, useRef, useState } from 'react';

/** Phase of a delayed action: counting down (and cancellable), running, or idle. */
type DelayedPhase = 'idle' | 'counting' | 'running';

const SHORTEST_MS = 1_000;
const LONGEST_MS = 3_000;
/** Additional delay for keyboards, because another key must be found before the time is over. */
const KEYBOARD_MS = 5_000;
const TICK_MS = 100;

/** Returns whether a key moved the focus, so that the last press was one of a keyboard. */
const isByKeyboard = () => document.activeElement?.matches(':focus-visible') ?? false;

/**
 * Runs `action` after a random delay of 1 to 3 s, during which the user can cancel it. After a
 * press of a key the delay is 6 to 8 s. Further starts during the delay are ignored. `leftMs` and
 * `totalMs` are for a countdown on the screen. If the user leaves the page during the delay,
 * `'run'` runs the action at once, and `'cancel'` does not run it. Actions that spend money use
 * `'cancel'`.
 */
export function useDelayedAction(action: () => Promise<unknown>, onLeave: 'run' | 'cancel' = 'cancel') {
  const [phase, setPhase] = useState<DelayedPhase>('idle');
  const [leftMs, setLeftMs] = useState(0);
  const totalMs = useRef(0);
  const timer = useRef<ReturnType<typeof setInterval>>(undefined);
  const latest = useRef(action);
  latest.current = action;

  const stopTimer = useCallback(() => {
    clearInterval(timer.current);
    timer.current = undefined;
  }, []);

  useEffect(
    () => () => {
      const counting = timer.current !== undefined;
      stopTimer();
      if (counting && onLeave === 'run') void latest.current();
    },
    [stopTimer, onLeave],
  );

  const undo = useCallback(() => {
    stopTimer();
    setPhase('idle');
  }, [stopTimer]);

  const start = useCallback(() => {
    if (phase !== 'idle' || timer.current !== undefined) return;
    const least = isByKeyboard() ? SHORTEST_MS + KEYBOARD_MS : SHORTEST_MS;
    totalMs.current = least + Math.floor(Math.random() * (LONGEST_MS - SHORTEST_MS));
    const due = performance.now() + totalMs.current;
    setLeftMs(totalMs.current);
    setPhase('counting');
    timer.current = setInterval(() => {
      const left = due - performance.now();
      setLeftMs(Math.max(0, left));
      if (left > 0) return;
      stopTimer();
      setPhase('running');
      latest.current().finally(() => setPhase('idle'));
    }, TICK_MS);
  }, [phase, stopTimer]);

  return { phase, leftMs, totalMs: totalMs.current, start, undo };
}
