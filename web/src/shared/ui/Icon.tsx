import type { LucideIcon } from 'lucide-react';

/** Stroke width by icon size, so that lines look equally thick at every size. */
const strokes: Record<number, number> = { 14: 2.1, 16: 2, 18: 1.85, 20: 1.75, 24: 1.6, 32: 1.6 };

/**
 * Renders an icon of lucide-react: `<Icon of={Calendar} />`. Screen readers skip it, so a text must
 * carry the meaning.
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
