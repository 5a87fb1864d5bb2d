import { useTranslation } from 'react-i18next';
import type { DemoStory } from '../../../parts/productExample/demoStory.ts';
import { addDays } from '../../../shared/format/dates.ts';
import { dateInFull, weekdayLetter, yearMonth } from '../../../shared/i18n/format.ts';
import { useLanguage } from '../../../shared/i18n/useLanguage.ts';
import { classes } from '../../../shared/ui/classes.ts';
import styles from './SeenMonth.module.css';

const MONDAY = '2026-11-23';
const levels = [undefined, styles.level1, styles.level2, styles.level3, styles.level4] as const;

/** Renders the month of the booked date. A date is darker the more often it was seen. */
export function SeenMonth({ story: { won, calendar } }: { story: DemoStory }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { cells, blanks, seen } = calendar;
  return (
    <div className={styles.seen}>
      <div className={styles.head}>
        <b>{t('landing.city0')}</b>
        <span>{yearMonth(won, language)}</span>
      </div>
      <div
        className={styles.grid}
        data-first={blanks + 1}
        role="img"
        aria-label={t('landing.demoCalendar', { day: dateInFull(won, language) })}
      >
        {[0, 1, 2, 3, 4].map((day) => (
          <small key={day}>{weekdayLetter(addDays(MONDAY, day), language)}</small>
        ))}
        {cells.map((cell) => (
          <i key={cell.day} className={cell.booked ? styles.booked : levels[cell.level]}>
            {cell.day}
          </i>
        ))}
      </div>
      <div className={classes(styles.head, styles.key)}>
        {levels.map((level) => (
          <i key={level ?? ''} className={level} />
        ))}
        <span>{t('landing.demoKey')}</span>
      </div>
      <p>{t('landing.demoSeen', { n: seen })}</p>
    </div>
  );
}
