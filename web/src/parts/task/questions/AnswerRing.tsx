import { remaining } from '../remaining.ts';
import styles from './AnswerRing.module.css';

/** Time that a full ring shows. A question is open for about two minutes. */
const FULL_MS = 120_000;
const RADIUS = 44;
const ROUND = 2 * Math.PI * RADIUS;

/**
 * Renders the time left to answer as a ring with a number. It is hidden from screen readers, which
 * get announcements. Without motion only the number is shown.
 */
export function AnswerRing({ leftMs }: { leftMs: number }) {
  const share = Math.min(1, Math.max(0, leftMs / FULL_MS));
  return (
    <div aria-hidden="true" className={styles.root} data-soon={leftMs <= 10_000 || undefined}>
      <svg viewBox="0 0 100 100" aria-hidden="true" className={styles.ring}>
        <circle cx="50" cy="50" r={RADIUS} className={styles.whole} />
        <circle cx="50" cy="50" r={RADIUS} strokeDasharray={`${share * ROUND} ${ROUND}`} className={styles.left} />
      </svg>
      <span className={styles.time}>{remaining(leftMs)}</span>
    </div>
  );
}
