import { useTranslation } from 'react-i18next';
import type { PortalHour } from '../../shared/api/types.ts';
import { instantClock } from '../../shared/i18n/format.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { classes } from '../../shared/ui/classes.ts';
import styles from './PortalHours.module.css';

const texts: Record<PortalHour['state'], TextKey> = {
  ok: 'system.hourOk',
  slow: 'system.hourSlow',
  down: 'system.hourDown',
  none: 'system.hourNone',
};

/**
 * Renders the polls of the last 24 hours, one bar per hour. Screen readers get one image with a
 * summary and the worst hour.
 */
export function PortalHours({ hours }: { hours: PortalHour[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (hours.length === 0) return null;
  const many = (state: PortalHour['state']) => hours.filter((hour) => hour.state === state).length;
  const sum = { ok: many('ok'), slow: many('slow'), down: many('down'), none: many('none') };
  const worst = hours.findLast((hour) => hour.state === 'down') ?? hours.findLast((hour) => hour.state === 'slow');
  const at = (hour: PortalHour) => instantClock(hour.hour, language);
  return (
    <div className={styles.root}>
      <div role="img" aria-label={t('system.barsSay', sum)} className={styles.bars}>
        {hours.map((hour) => (
          <span
            key={hour.hour}
            title={t('system.hourSays', { time: at(hour), state: t(texts[hour.state]) })}
            className={classes(styles.bar, styles[hour.state])}
          />
        ))}
      </div>
      <div className={styles.scale}>
        <span>{t('system.hoursAgo')}</span>
        {worst && <span>{t(worst.state === 'down' ? 'system.downAt' : 'system.slowAt', { time: at(worst) })}</span>}
        <span>{t('system.nowWord')}</span>
      </div>
    </div>
  );
}
