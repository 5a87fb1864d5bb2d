import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './Badge.module.css';
import { classes } from './classes.ts';
import { Icon } from './Icon.tsx';

interface Props {
  tone: 'ok' | 'info' | 'warning' | 'error' | 'errorSolid' | 'quiet' | 'line';
  icon?: LucideIcon;
  children: ReactNode;
}

/** Renders a small label. Its text carries the meaning; colour and icon only support it. */
export function Badge({ tone, icon, children }: Props) {
  return (
    <span className={classes(styles.root, styles[tone])}>
      {icon && <Icon of={icon} size={14} />}
      {children}
    </span>
  );
}
