import { useEffect, useRef } from 'react';

/**
 * Shows `text` in front of the title of the browser tab, and removes it again. A page may set its
 * own title meanwhile.
 */
export function useTitleCountdown(text: string | null): void {
  const shown = useRef('');
  useEffect(() => {
    const { title } = document;
    const own = shown.current && title.startsWith(shown.current) ? title.slice(shown.current.length) : title;
    shown.current = text === null ? '' : `${text} · `;
    if (title !== shown.current + own) document.title = shown.current + own;
  }, [text]);
  useEffect(
    () => () => {
      if (shown.current && document.title.startsWith(shown.current)) document.title = document.title.slice(shown.current.length);
      shown.current = '';
    },
    [],
  );
}
