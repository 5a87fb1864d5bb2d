import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import type { Span } from '../../shared/format/uptime.ts';
import { classes } from '../../shared/ui/classes.ts';
import styles from './UptimeBars.module.css';

interface Props {
  label: string;
  /** What is said of the whole while no bar is chosen. */
  sum: string;
  first: string;
  last: string;
  spans: (Span & { key: string; says: string })[];
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: -7, PageUp: 7 };

/**
 * Times as bars, oldest first. One control for all of them: arrows, a finger or a pointer choose a bar, and the line below says
 * what it was; a screen reader hears the same.
 */
export function UptimeBars({ label, sum, first, last, spans }: Props) {
  const [chosen, setChosen] = useState<number | null>(null);
  const newest = spans.length - 1;
  const at = chosen === null ? null : Math.min(chosen, newest);
  const choose = (index: number) => setChosen(Math.min(newest, Math.max(0, index)));
  const byPointer = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    choose(Math.floor(((event.clientX - box.left) / box.width) * spans.length));
  };
  const byKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined && event.key !== 'Home' && event.key !== 'End') return;
    event.preventDefault();
    choose(event.key === 'Home' ? 0 : event.key === 'End' || at === null ? newest : at + (step ?? 0));
  };
  return (
    <div>
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={1}
        aria-valuemax={spans.length}
        aria-valuenow={(at ?? newest) + 1}
        aria-valuetext={at === null ? sum : spans[at]?.says}
        onKeyDown={byKey}
        onPointerMove={byPointer}
        onPointerDown={byPointer}
        onPointerLeave={() => setChosen(null)}
        onBlur={() => setChosen(null)}
        className={styles.bars}
      >
        {spans.map((span, index) => (
          <div key={span.key} className={styles.slot}>
            <div data-state={span.state} className={classes(styles.bar, at !== null && at !== index && styles.faded)} />
          </div>
        ))}
      </div>
      <div aria-hidden="true" className={styles.says}>
        <span className={styles.end}>{at === null && first}</span>
        <span className={classes(styles.sum, at !== null && styles.chosen)}>{at === null ? sum : spans[at]?.says}</span>
        <span className={styles.end}>{at === null && last}</span>
      </div>
    </div>
  );
}
