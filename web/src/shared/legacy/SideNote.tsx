import type { ReactNode } from 'react';
import { SideNote as Note } from '../ui/SideNote.tsx';
import { type IconName, iconPaths } from './iconPaths.tsx';

/** A sentence in small print with its icon by name; new code takes `shared/ui/SideNote`. */
export function SideNote({ icon, children }: { icon: IconName; children: ReactNode }) {
  return <Note icon={iconPaths[icon]}>{children}</Note>;
}
