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
  /** A button or link that helps. */
  action?: ReactNode;
  icon?: LucideIcon;
  /** Announcement when it appears. Errors are announced at once without it. */
  live?: 'alert' | 'status';
}

/** Renders a soft block with an icon, one statement and its reason. */
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
