import { useEffect, useState } from 'react';

const SHRINK_AFTER_PX = 30;
const RESTORE_AT_PX = 10;

/** Whether the header is small: from 30 px of scrolling on, until the page is back at 10 px or less. */
export function useShrunk(): boolean {
  const [shrunk, setShrunk] = useState(false);
  useEffect(() => {
    const look = () => setShrunk((small) => (small ? window.scrollY > RESTORE_AT_PX : window.scrollY > SHRINK_AFTER_PX));
    // Asked for at once it would have the page laid out while that is still being drawn.
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
