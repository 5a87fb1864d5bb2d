import { useEffect, useState } from 'react';
import { type PageMessage, popPageMessage } from '../browser/pageMessage.ts';

/**
 * Returns the note of the previous page. It is null in the first render, as in a prerendered
 * document.
 */
export function usePageMessage(): PageMessage | null {
  const [message, setMessage] = useState<PageMessage | null>(null);
  useEffect(() => {
    const stored = popPageMessage();
    if (stored) setMessage(stored);
  }, []);
  return message;
}
