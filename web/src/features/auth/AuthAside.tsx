import { CalendarCheck, List, LockKeyhole, Wallet } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { DEMO_GAIN, demoStory } from '../../parts/productExample/demoStory.ts';
import { useToday } from '../../parts/productExample/useToday.ts';
import { monthName, unbroken } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { classes } from '../../shared/ui/classes.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './AuthAside.module.css';

const points = [
  { icon: Wallet, textKey: 'auth.asidePoint1' },
  { icon: LockKeyhole, textKey: 'auth.asidePoint2' },
  { icon: List, textKey: 'auth.asidePoint3' },
] as const;

/**
 * Renders the panel beside an account form on wide screens. It shows an example of the product,
 * labelled as such, for new or returning users.
 */
export function AuthAside({ kind }: { kind: 'new' | 'back' }) {
  const { t } = useTranslation();
  return (
    <aside className={styles.aside}>
      <Text variant="h1" className={styles.title}>
        {t(kind === 'new' ? 'auth.asideNew' : 'auth.asideBack')}
      </Text>
      <Text color="secondary" className={styles.lead}>
        {t(kind === 'new' ? 'auth.asideNewText' : 'auth.asideBackText')}
      </Text>
      {kind === 'new' ? <Move /> : <Night />}
      <ul className={styles.points}>
        {points.map((point) => (
          <li key={point.textKey}>
            <Icon of={point.icon} />
            {t(point.textKey)}
          </li>
        ))}
      </ul>
    </aside>
  );
}

/** Renders the example for new users: a booking on the date line. */
function Move() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { won, before, at, months } = demoStory(useToday());
  const sentence = t('auth.asidePicture', { from: before, to: won, days: DEMO_GAIN });
  return (
    <figure className={styles.example}>
      <div role="img" aria-label={sentence}>
        <div className={styles.booked}>
          <Icon of={CalendarCheck} />
          <span>
            {t('landing.city0')} {unbroken(won)} {t('landing.demoTime')}
          </span>
        </div>
        <div className={styles.line}>
          <span className={styles.window} />
          <span className={styles.arc}>
            <b className={styles.gain}>{t('landing.demoGain', { days: DEMO_GAIN })}</b>
          </span>
          <span className={classes(styles.dot, styles.today)} />
          <span className={classes(styles.dot, styles.before)} />
          <span className={classes(styles.dot, styles.won)} />
          <span className={classes(styles.label, styles.first)}>{t('dateline.today')}</span>
          <span className={classes(styles.label, styles.wonDate)}>{unbroken(won)}</span>
          {/* Uses SVG attributes, because elements of prerendered documents must not have
              inline styles. */}
          <svg className={styles.months} aria-hidden="true">
            {months
              .filter(({ left }) => left > at.won + 14 && left < 76)
              .map((month) => (
                <text key={month.date} x={`${month.left}%`} y="13" textAnchor="middle">
                  {monthName(month.date, language)}
                </text>
              ))}
          </svg>
          <span className={classes(styles.label, styles.gone)}>{unbroken(before)}</span>
        </div>
      </div>
      <Text as="figcaption" variant="micro" color="tertiary" className={styles.note}>
        {t('landing.demoData')}
      </Text>
    </figure>
  );
}

const night = [
  { at: '03:12:06', textKey: 'auth.asideLog1' },
  { at: '03:12:07', textKey: 'auth.asideLog2' },
  { at: '03:12:09', textKey: 'auth.asideLog3' },
] as const;

/** Renders the example for returning users: a journal of the past night. */
function Night() {
  const { t } = useTranslation();
  const { won } = demoStory(useToday());
  return (
    <figure className={styles.example}>
      <Text variant="strong">{t('auth.asideLogTitle')}</Text>
      <ol className={styles.log}>
        {night.map((row, index) => (
          <li key={row.at} className={index === night.length - 1 ? styles.done : undefined}>
            <time>{row.at}</time>
            <span>{t(row.textKey, { date: unbroken(won) })}</span>
          </li>
        ))}
      </ol>
      <Text as="figcaption" variant="micro" color="tertiary" className={styles.note}>
        {t('landing.demoData')}
      </Text>
    </figure>
  );
}
