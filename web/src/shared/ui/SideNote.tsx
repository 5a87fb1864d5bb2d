import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import styles from './SideNote.module.css';

/** Renders a note in small print with an icon, directly on the page's background. */
export function SideNote({ icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <p className={styles.root}>
      <Icon of={icon} size={16} />
      <span>{children}</span>
    </p>
  );
}
