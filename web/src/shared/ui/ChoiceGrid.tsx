import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import styles from './Calendar.module.css';
import { classes } from './classes.ts';

interface Choice {
  key: string;
  label: string;
  /** Accessible name, if the visible label is an abbreviation. */
  name?: string;
  disabled?: boolean;
}

interface Props {
  label: string;
  columns: 3 | 4;
  choices: Choice[];
  /** Key of the chosen cell, which gets the focus first. */
  chosen: string;
  onPick: (key: string) => void;
}

/** Returns by how many cells a key moves the focus. Page Up and Page Down move four rows. */
function step(key: string, columns: number): number {
  const steps: Record<string, number> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -columns,
    ArrowDown: columns,
    PageUp: -4 * columns,
    PageDown: 4 * columns,
  };
  return steps[key] ?? 0;
}

/** Renders a grid of months or years. It has one tab stop, and arrow keys move within it. */
export function ChoiceGrid({ label, columns, choices, chosen, onPick }: Props) {
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      choices.findIndex((choice) => choice.key === chosen),
    ),
  );
  const grid = useRef<HTMLDivElement>(null);
  const cell = (index: number) => grid.current?.querySelectorAll<HTMLElement>('button')[index];
  // biome-ignore lint/correctness/useExhaustiveDependencies: sets the focus once, after mounting
  useEffect(() => {
    const first = cell(at);
    if (!first || !grid.current) return;
    first.focus({ preventScroll: true });
    // Scrolls only the grid, not the page.
    grid.current.scrollTop = first.offsetTop - (grid.current.clientHeight - first.offsetHeight) / 2;
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    const ends: Record<string, number> = { Home: 0, End: choices.length - 1 };
    const by = step(event.key, columns);
    const wanted = ends[event.key] ?? at + by;
    if (by === 0 && !(event.key in ends)) return;
    event.preventDefault();
    if (wanted < 0 || wanted >= choices.length) return;
    setAt(wanted);
    cell(wanted)?.focus();
  };
  const rows = Array.from({ length: Math.ceil(choices.length / columns) }, (_, row) => row * columns);
  return (
    <div ref={grid} role="grid" aria-label={label} onKeyDown={onKeyDown} className={styles.choices}>
      {rows.map((start) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the buttons within take the focus
        <div key={start} role="row" className={columns === 3 ? styles.three : styles.four}>
          {choices.slice(start, start + columns).map((choice, column) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the button within takes the focus
            <div key={choice.key} role="gridcell" aria-selected={choice.key === chosen}>
              <button
                type="button"
                tabIndex={start + column === at ? 0 : -1}
                aria-label={choice.name}
                aria-disabled={choice.disabled || undefined}
                onFocus={() => setAt(start + column)}
                onClick={() => !choice.disabled && onPick(choice.key)}
                className={classes(styles.choice, choice.key === chosen && styles.chosen)}
              >
                {choice.label}
              </button>
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
