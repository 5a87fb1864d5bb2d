import { useTranslation } from 'react-i18next';
import { useNow } from '../../shared/hooks/useNow.ts';
import { classes } from '../../shared/ui/classes.ts';
import styles from './CountdownRing.module.css';
import { remaining } from './remaining.ts';

const FULL_MS = 15 * 60_000;
const ROUND = 100.5;

/**
 * Renders the time until the next check, or until the deadline of a question, as a ring with a
 * number. It is outside of the live region, because it changes every second. At zero it shows that
 * the check is due, because only the server knows whether it runs.
 */
export function CountdownRing({ nextAt, waits = false, large }: { nextAt: string; waits?: boolean; large?: boolean }) {
  const { t } = useTranslation();
  const now = useNow(1_000);
  const leftMs = Date.parse(nextAt) - now;
  const share = Math.min(1, Math.max(0, leftMs / FULL_MS));
  return (
    <div className={classes(styles.root, large && styles.large)}>
      <svg viewBox="0 0 36 36" aria-hidden="true" className={styles.ring}>
        <circle cx="18" cy="18" r="16" className={styles.whole} />
        <circle cx="18" cy="18" r="16" strokeDasharray={`${share * ROUND} ${ROUND}`} className={styles.left} />
      </svg>
      <div className={styles.words}>
        <div className={styles.time}>{leftMs > 0 || waits ? remaining(Math.max(0, leftMs)) : t('condition.due')}</div>
        <div className={styles.note}>
          {t(waits ? 'condition.untilAnswer' : leftMs > 0 ? 'condition.untilNext' : 'condition.dueNote')}
        </div>
      </div>
    </div>
  );
}
