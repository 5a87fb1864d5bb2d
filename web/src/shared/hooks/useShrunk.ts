import { useEffect, useState } from 'react';

const SHRINK_AFTER_PX = 30;
const RESTORE_AT_PX = 10;

/**
 * Returns whether the header is small. It becomes small after 30 px of scrolling, and large again
 * at 10 px or less.
 */
export function useShrunk(): boolean {
  const [shrunk, setShrunk] = useState(false);
  useEffect(() => {
    const look = () => setShrunk((small) => (small ? window.scrollY > RESTORE_AT_PX : window.scrollY > SHRINK_AFTER_PX));
    // Waits until the page is rendered, because reading the scroll position earlier would force a
    // layout.
    let timer: ReturnType<typeof setTimeout>;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(look);
    });
    window.addEventListener('scroll', look, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      window.removeEventListener('scroll', look);
    };
  }, []);
  return shrunk;
}
