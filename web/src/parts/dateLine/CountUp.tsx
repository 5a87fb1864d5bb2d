import { useEffect, useState } from 'react';

const MS = 900;
const eased = (part: number) => 1 - (1 - part) ** 3;
const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * Renders a number that counts up once, while the date line is animated. With reduced motion it
 * shows the final number.
 */
export function CountUp({ from, to, says }: { from: number; to: number; says: (count: number) => string }) {
  const [shown, setShown] = useState(() => (isStill() ? to : from));
  useEffect(() => {
    if (isStill()) return setShown(to);
    const began = performance.now();
    let frame = requestAnimationFrame(function draw() {
      const part = Math.min(1, (performance.now() - began) / MS);
      setShown(Math.round(from + (to - from) * eased(part)));
      if (part < 1) frame = requestAnimationFrame(draw);
    });
    return () => cancelAnimationFrame(frame);
  }, [from, to]);
  return <>{says(shown)}</>;
}
