import type { LucideIcon } from 'lucide-react';

/** Strokes look equally thick at every size. */
const strokes: Record<number, number> = { 14: 2.1, 16: 2, 18: 1.85, 20: 1.75, 24: 1.6, 32: 1.6 };

/**
 * Renders an icon of lucide-react in the product's stroke: `<Icon of={Calendar} />`. It is
 * decoration only, so the meaning needs a text.
 */
export function Icon({
  of: Picture,
  size = 20,
  className,
}: {
  of: LucideIcon;
  size?: 14 | 16 | 18 | 20 | 24 | 32;
  className?: string;
}) {
  return <Picture size={size} strokeWidth={strokes[size]} aria-hidden="true" focusable="false" className={className} />;
}
