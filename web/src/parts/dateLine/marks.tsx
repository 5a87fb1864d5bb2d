import type { CSSProperties, ReactNode } from 'react';
import { classes } from '../../shared/ui/classes.ts';
import styles from './DateLine.module.css';

const percent = (value: number) => `${value}%`;
/** Returns positions on the line as CSS custom properties. */
const placed = (values: Record<`--${string}`, string>) => values as CSSProperties;

/** Renders a range on the line: the window or an excluded range. */
export function Span({ kind, left, width }: { kind: 'window' | 'excluded'; left: number; width: number }) {
  return (
    <div className={classes(styles.span, styles[kind])} style={placed({ '--left': percent(left), '--width': percent(width) })} />
  );
}

/** Renders a date that the portal showed. It is teal if the task would accept it. */
export function Tick({ left, wanted }: { left: number; wanted: boolean }) {
  return <div className={classes(styles.tick, wanted && styles.wanted)} style={placed({ '--left': percent(left) })} />;
}

interface MarkerProps {
  kind: 'today' | 'best' | 'present' | 'new' | 'old';
  left: number;
  /** Position at which the animation starts. */
  from?: number | null;
}

/** Renders a ring or a dot on the line. It moves smoothly when its date changes. */
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
 * Renders a label at a position on the line. It is shifted so that it never extends beyond the
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

/**
 * Renders the name of a month below the line, at the month's first day. It is hidden below a width
 * of 600 px.
 */
export function Month({ left, children }: { left: number; children: ReactNode }) {
  return (
    <span className={styles.month} style={placed({ '--left': percent(left) })}>
      {children}
    </span>
  );
}

/**
 * Width of a bracket, in per cent of the line, below which its label would extend beyond the line.
 */
const NARROW_ARC = 35;

interface ArcProps {
  left: number;
  right: number;
  /** Position at which the animation starts, or null without an animation. */
  from: number | null;
  children: ReactNode;
}

/** Renders the bracket from the first appointment to the present one. */
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
