import { CircleCheck, CircleX, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './Alert.module.css';
import { classes } from './classes.ts';
import { Icon } from './Icon.tsx';

/** Severity. */
type Tone = 'ok' | 'info' | 'warning' | 'error' | 'quiet';

const icons: Record<Tone, LucideIcon> = { ok: CircleCheck, info: Info, warning: TriangleAlert, error: CircleX, quiet: Info };

interface Props {
  tone: Tone;
  title?: ReactNode;
  children?: ReactNode;
  /** Button or link that helps the user. */
  action?: ReactNode;
  icon?: LucideIcon;
  /** Makes screen readers announce the block when it appears. Errors are always announced. */
  live?: 'alert' | 'status';
}

/** Renders a coloured block with an icon, a title and an explanation. */
export function Alert({ tone, title, children, action, icon, live }: Props) {
  return (
    <div
      role={live ?? (tone === 'error' ? 'alert' : undefined)}
      className={classes(styles.root, styles[tone], action && styles.acting)}
    >
      <span className={styles.icon}>
        <Icon of={icon ?? icons[tone]} />
      </span>
      <div className={styles.body}>
        {title && <p className={styles.title}>{title}</p>}
        {children && <div className={title ? styles.reason : styles.text}>{children}</div>}
      </div>
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}
