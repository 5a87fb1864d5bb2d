import { useEffect, useState } from 'react';
import { copyText } from '../browser/copyText.ts';

const SHOWN_MS = 3_000;

/**
 * Returns a function that copies `text`. For 3 s after it ran, `done` is whether it worked,
 * otherwise null.
 */
export function useCopied(text: string): { done: boolean | null; copy: () => Promise<boolean> } {
  const [done, setDone] = useState<boolean | null>(null);
  useEffect(() => {
    if (done === null) return;
    const timer = setTimeout(() => setDone(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = async () => {
    const copied = await copyText(text);
    setDone(copied);
    return copied;
  };
  return { done, copy };
}
