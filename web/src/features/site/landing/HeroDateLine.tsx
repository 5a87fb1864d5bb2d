import { useTranslation } from 'react-i18next';
import { DEMO_GAIN, type DemoStory } from '../../../parts/productExample/demoStory.ts';
import { monthName } from '../../../shared/i18n/format.ts';
import { useLanguage } from '../../../shared/i18n/useLanguage.ts';
import { classes } from '../../../shared/ui/classes.ts';
import styles from './HeroDateLine.module.css';

/** Renders the booking of the example on the date line. Earlier dates are at the left. */
export function HeroDateLine({ story: { won, before, at, months } }: { story: DemoStory }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const sentence = t('landing.demoLine', { from: before, to: won, days: DEMO_GAIN });
  return (
    <div className={styles.line} role="img" aria-label={sentence}>
      <div className={styles.track}>
        <span className={styles.window} />
        <span className={styles.excluded} />
        {/* Uses SVG attributes, because elements of prerendered documents must not have inline
            styles. */}
        <svg className={styles.marks} aria-hidden="true">
          {at.seen.map(({ left, wanted }) => (
            <rect key={left} x={`${left}%`} width="2" height="14" rx="1" className={wanted ? styles.wanted : undefined} />
          ))}
          {months.map(({ date, left }) => (
            <text key={date} x={`${left}%`} y="30">
              {date.slice(5, 7) === '01' ? t('dateline.year', { year: date.slice(0, 4) }) : monthName(date, language)}
            </text>
          ))}
        </svg>
        <span className={styles.arc}>
          <span>{t('landing.demoGain', { days: DEMO_GAIN })}</span>
        </span>
        <span className={classes(styles.dot, styles.today)} />
        <span className={classes(styles.dot, styles.before)} />
        <span className={styles.slide}>
          <span />
        </span>
        <span className={styles.label}>{t('dateline.today')}</span>
        <span className={classes(styles.label, styles.wonDate)}>
          <b>{won}</b>
        </span>
        <span className={classes(styles.label, styles.gone)}>{before}</span>
      </div>
    </div>
  );
}
