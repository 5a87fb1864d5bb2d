import type { CSSProperties, ReactNode } from 'react';
import { classes } from '../../shared/ui/classes.ts';
import styles from './DateLine.module.css';

const percent = (value: number) => `${value}%`;
/** Returns positions on the line as custom properties, because the style sheet cannot know them. */
const placed = (values: Record<`--${string}`, string>) => values as CSSProperties;

/** Renders a range of the line: the window or excluded days. */
export function Span({ kind, left, width }: { kind: 'window' | 'excluded'; left: number; width: number }) {
  return (
    <div className={classes(styles.span, styles[kind])} style={placed({ '--left': percent(left), '--width': percent(width) })} />
  );
}

/** Renders a date that the portal showed; teal if the task would accept it. */
export function Tick({ left, wanted }: { left: number; wanted: boolean }) {
  return <div className={classes(styles.tick, wanted && styles.wanted)} style={placed({ '--left': percent(left) })} />;
}

interface MarkerProps {
  kind: 'today' | 'best' | 'present' | 'new' | 'old';
  left: number;
  /** Start of the animated move. */
  from?: number | null;
}

/** Renders a ring or dot on the line. It glides when its date changes. */
export function Marker({ kind, left, from = null }: MarkerProps) {
  const place = { '--left': percent(left), ...(from !== null && { '--from': percent(from) }) };
  return <div className={classes(styles.marker, styles[kind], from !== null && styles.drawn)} style={placed(place)} />;
}

interface LabelProps {
  left: number;
  top: { xs: number; sm: number };
  children: ReactNode;
  strong?: boolean;
  struck?: boolean;
}

/**
 * Renders a label at a position of the line. Its own share shifts it, so that it never leaves the
 * line.
 */
export function Label({ left, top, children, strong, struck }: LabelProps) {
  return (
    <span
      className={classes(styles.label, strong && styles.strong, struck && styles.struck)}
      style={placed({ '--left': percent(left), '--top-phone': `${top.xs}px`, '--top-wide': `${top.sm}px` })}
    >
      {children}
    </span>
  );
}

/** Renders the first of a month, below the line, from 600 px up. */
export function Month({ left, children }: { left: number; children: ReactNode }) {
  return (
    <span className={styles.month} style={placed({ '--left': percent(left) })}>
      {children}
    </span>
  );
}

/** Per cent of the line below which a bracket's label would extend beyond the line's end. */
const NARROW_ARC = 35;

interface ArcProps {
  left: number;
  right: number;
  /** Start of the animated end. */
  from: number | null;
  children: ReactNode;
}

/** Renders the bracket of a move, from the first date to the present one. */
export function Arc({ left, right, from, children }: ArcProps) {
  const drawn = from !== null && { '--from': percent(from) };
  return (
    <div
      className={classes(styles.arc, right - left < NARROW_ARC && styles.narrow, drawn && styles.drawn)}
      style={placed({ '--left': percent(left), '--right': percent(100 - right), ...drawn })}
    >
      <span className={styles.gained}>{children}</span>
    </div>
  );
}
