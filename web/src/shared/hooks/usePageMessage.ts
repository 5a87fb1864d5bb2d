import { useEffect, useState } from 'react';
import { type PageMessage, popPageMessage } from '../browser/pageMessage.ts';

/**
 * Returns the message that the previous page stored. Returns null in the first render, so that it
 * matches the prerendered document.
 */
export function usePageMessage(): PageMessage | null {
  const [message, setMessage] = useState<PageMessage | null>(null);
  useEffect(() => {
    const stored = popPageMessage();
    if (stored) setMessage(stored);
  }, []);
  return message;
}
