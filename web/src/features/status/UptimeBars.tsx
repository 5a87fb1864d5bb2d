import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import { classes } from '../../shared/ui/classes.ts';
import { type List, Rows, useStatusTexts } from './statusTexts.tsx';
import styles from './UptimeBars.module.css';
import type { Span } from './uptime.ts';

interface Ends {
  /** Summary while no bar is selected. */
  sum: string;
  first: string;
  last: string;
}

interface Props<T extends Span> extends Ends {
  label: string;
  spans: T[];
  says: (span: T) => string;
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: -7, PageUp: 7 };

/** Renders the bars of a prerendered document. They are not interactive. A summary is below. */
export function StaticBars({ of, sum, first, last }: Ends & { of: List }) {
  return (
    <div>
      <div aria-hidden="true" className={styles.bars}>
        <Rows of={of}>
          <Bar />
        </Rows>
      </div>
      <Line first={first} last={last}>
        <span className={styles.sum}>{sum}</span>
      </Line>
    </div>
  );
}

function Bar() {
  return (
    <div className={styles.slot}>
      <div data-state={useStatusTexts('item').text('state')} className={styles.bar} />
    </div>
  );
}

function Line({ first, last, children }: { first?: string; last?: string; children: ReactNode }) {
  return (
    <div className={styles.says}>
      <span className={styles.end}>{first}</span>
      {children}
      <span className={styles.end}>{last}</span>
    </div>
  );
}

/**
 * Renders periods of time as bars, oldest first. Arrow keys, touch or pointer select a bar, and the
 * line below describes it. Screen readers get the same text.
 */
export function UptimeBars<T extends Span>({ label, sum, first, last, spans, says }: Props<T>) {
  const [chosen, setChosen] = useState<number | null>(null);
  const newest = spans.length - 1;
  const at = chosen === null ? null : Math.min(chosen, newest);
  const span = at === null ? undefined : spans[at];
  const caption = span ? says(span) : sum;
  const choose = (index: number) => setChosen(Math.min(newest, Math.max(0, index)));
  const byPointer = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const left = event.currentTarget.firstElementChild?.getBoundingClientRect().left ?? box.left;
    choose(Math.floor(((event.clientX - left) / (box.right - left)) * spans.length));
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
        aria-valuetext={caption}
        onKeyDown={byKey}
        onPointerMove={byPointer}
        onPointerDown={byPointer}
        onPointerLeave={() => setChosen(null)}
        onBlur={() => setChosen(null)}
        className={styles.bars}
      >
        {spans.map((one, index) => (
          <div key={index} className={styles.slot}>
            <div data-state={one.state} className={classes(styles.bar, at !== null && at !== index && styles.faded)} />
          </div>
        ))}
      </div>
      <div aria-hidden="true">
        <Line first={at === null ? first : undefined} last={at === null ? last : undefined}>
          <span className={classes(styles.sum, at !== null && styles.chosen)}>{caption}</span>
        </Line>
      </div>
    </div>
  );
}
