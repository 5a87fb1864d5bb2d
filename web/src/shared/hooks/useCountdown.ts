import { useCallback, useEffect, useState } from 'react';

/**
 * Returns the remaining seconds of a wait, and a function that starts a wait. It measures elapsed
 * time, because the device's clock may be wrong or change.
 */
export function useCountdown(initialSeconds = 0): [number, (seconds: number) => void] {
  const [wait, setWait] = useState({ seconds: initialSeconds });
  const [left, setLeft] = useState(initialSeconds);
  useEffect(() => {
    if (wait.seconds <= 0) return;
    const endsAt = performance.now() + wait.seconds * 1_000;
    const timer = setInterval(() => {
      const seconds = Math.max(0, Math.ceil((endsAt - performance.now()) / 1_000));
      setLeft(seconds);
      if (seconds === 0) clearInterval(timer);
    }, 1_000);
    return () => clearInterval(timer);
  }, [wait]);
  const start = useCallback((seconds: number) => {
    setLeft(seconds);
    setWait({ seconds });
  }, []);
  return [left, start];
}
