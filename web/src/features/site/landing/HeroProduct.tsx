import { CalendarCheck, Check, Eye } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { DEMO_DAY, demoStory } from '../../../parts/productExample/demoStory.ts';
import { useToday } from '../../../parts/productExample/useToday.ts';
import { unbroken } from '../../../shared/i18n/format.ts';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { LiveDot } from '../../../shared/ui/LiveDot.tsx';
import { NoWrap } from '../../../shared/ui/Text.tsx';
import { HeroDateLine } from './HeroDateLine.tsx';
import styles from './HeroProduct.module.css';
import { SeenMonth } from './SeenMonth.tsx';

const log = [
  { at: '21:40:06', textKey: 'landing.log1' },
  { at: '21:40:07', textKey: 'landing.log2' },
  { at: '21:40:09', textKey: 'landing.log3' },
] as const;

/**
 * Renders an example of the product with invented data, labelled as such: a new booking, and the
 * dates seen in its month. It is complete without scripts. `enhance` animates it when it is
 * visible.
 */
export function HeroProduct() {
  const { t } = useTranslation();
  const story = demoStory(useToday());
  return (
    <figure className={styles.figure} aria-label={t('landing.demoPicture')}>
      <div className={styles.card}>
        <div className={styles.task}>
          <div className={styles.row}>
            <span className={styles.chip}>
              <LiveDot />
              {t('task.monitoring')}
            </span>
            <b>{t('landing.demoNames')}</b>
            <span className={styles.day}>{t('landing.demoDay', { day: DEMO_DAY })}</span>
          </div>
          <div className={styles.condition}>
            <div className={styles.won}>
              <Icon of={CalendarCheck} size={24} />
              <div>
                <b>
                  {t('landing.city0')} <NoWrap>{unbroken(story.won)}</NoWrap> <NoWrap>{t('landing.demoTime')}</NoWrap>
                </b>
                {t('landing.demoWonText')}
              </div>
            </div>
            <div className={styles.look} aria-hidden>
              <Icon of={Eye} size={24} />
              {t('landing.demoLooking')}
            </div>
          </div>
          <HeroDateLine story={story} />
          <ol className={styles.log}>
            {log.map((row, index) => (
              <li key={row.at}>
                <time>{row.at}</time>
                <i>{index === 2 && <Icon of={Check} size={14} />}</i>
                {index === 2 ? <b>{t(row.textKey)}</b> : <span>{t(row.textKey, { date: story.won })}</span>}
              </li>
            ))}
          </ol>
          <span data-play-mark />
        </div>
        <SeenMonth story={story} />
      </div>
      <figcaption>{t('landing.demoData')}</figcaption>
    </figure>
  );
}
