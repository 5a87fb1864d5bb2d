import { useTranslation } from 'react-i18next';
import styles from './PaceClock.module.css';

/** Minutes of earlier polls in the drawn hour. */
const BEFORE = [5, 15, 25];
const turned = (minute: number) => `rotate(${minute * 6} 200 200)`;
/** Returns the attributes of a circle that appears as tick marks of 2 px, starting at the top. */
const ticks = (radius: number, parts: number) => {
  const part = (2 * Math.PI * radius) / parts;
  return { r: radius, strokeDasharray: `2 ${(part - 2).toFixed(2)}`, transform: 'rotate(-90.5 200 200)' };
};

/**
 * Renders an hour as a clock face: the polls so far, the last one with a ring, the next one dashed,
 * and the hourly limit.
 */
export function PaceClock() {
  const { t } = useTranslation();
  return (
    <figure className={styles.figure}>
      <svg viewBox="0 0 400 400" aria-hidden="true">
        <circle className={styles.face} cx="200" cy="200" r="150" />
        <circle className={styles.minutes} cx="200" cy="200" {...ticks(135, 60)} />
        <circle className={styles.hours} cx="200" cy="200" {...ticks(131, 12)} />
        {BEFORE.map((minute) => (
          <circle key={minute} className={styles.check} cx="200" cy="92" r="9" transform={turned(minute)} />
        ))}
        <path className={styles.way} d="M108 143a108 108 0 0 0-8 98" />
        <circle className={styles.ring} cx="200" cy="92" r="18" transform={turned(40)} />
        <circle className={styles.now} cx="200" cy="92" r="11" transform={turned(40)} />
        <circle className={styles.next} cx="200" cy="92" r="10" transform={turned(50)} />
        <text x="200" y="198">
          4 / 6
        </text>
        <text x="200" y="228">
          {t('landing.paceCaption')}
        </text>
      </svg>
      <figcaption>
        <span>
          <i />
          {t('landing.paceNow')}
        </span>
        <span>
          <i />
          {t('landing.paceNext')}
        </span>
      </figcaption>
    </figure>
  );
}
