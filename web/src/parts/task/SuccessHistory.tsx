import { ArrowRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { SuccessEntry } from '../../shared/api/types.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { instantInFull } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { FingerprintsLine } from './FingerprintsLine.tsx';
import styles from './SuccessHistory.module.css';
import card from './TaskCard.module.css';

/**
 * Renders the bookings of a task, newest first: the time, the old and the new date, the days
 * gained, and the fingerprint appointment.
 */
export function SuccessHistory({ entries }: { entries: SuccessEntry[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const sorted = [...entries].sort((a, b) => b.timestamp.localeCompare(a.timestamp));
  return (
    <div>
      <h4 className={card.heading}>{t('task.history')}</h4>
      <ul>
        {sorted.map((entry) => (
          <li key={entry.timestamp} className={styles.entry}>
            <span className={styles.when}>{instantInFull(entry.timestamp, language)}</span>
            <span className={styles.move}>
              {entry.fromDate && (
                <>
                  <s className={styles.from}>{entry.fromDate}</s>
                  <span className={styles.arrow}>
                    <Icon of={ArrowRight} size={16} />
                  </span>
                </>
              )}
              <b className={styles.to}>{entry.date}</b>
              <span className={styles.city}>{cityName(entry.toLocation)}</span>
            </span>
            <span className={styles.gained}>
              {entry.daysAdvanced === null ? t('task.firstBooking') : t('task.gained', { count: entry.daysAdvanced })}
            </span>
            {entry.fingerprints && (
              <div className={styles.fingerprints}>
                <FingerprintsLine fingerprints={entry.fingerprints} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
