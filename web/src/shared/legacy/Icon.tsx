import { type IconName, iconPaths } from './iconPaths.tsx';

/** One icon by its name; new code takes `shared/ui/Icon`. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  const Picture = iconPaths[name];
  return <Picture size={size} strokeWidth={size <= 16 ? 2 : size >= 24 ? 1.6 : 1.75} aria-hidden="true" focusable="false" />;
}
