import { Glyph } from './Glyph.tsx';
import { type IconName, iconPaths } from './iconPaths.tsx';

/** One line icon of our set, by its name. */
export function Icon({ name, size }: { name: IconName; size?: number }) {
  return <Glyph size={size}>{iconPaths[name]}</Glyph>;
}
