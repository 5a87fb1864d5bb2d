import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { minutesBetween } from '../format/elapsed.ts';
import { instantParts, unbroken } from '../i18n/format.ts';
import { useNow } from './useNow.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
const WEEK_DAYS = 7;

/**
 * Returns a function that formats the age of an instant, updated every minute. Instants older than
 * a week are formatted as a date.
 */
export function useAgo(): (instant: string) => string {
  const { t } = useTranslation();
  const now = useNow(MINUTE_MS);
  return useCallback(
    (instant) => {
      const minutes = minutesBetween(Date.parse(instant), now);
      if (minutes < 1) return t('settings.justNow');
      if (minutes < 60) return t('settings.minutesAgo', { count: minutes });
      if (minutes < DAY_MINUTES) return t('settings.hoursAgo', { count: Math.floor(minutes / 60) });
      const days = Math.floor(minutes / DAY_MINUTES);
      if (days <= WEEK_DAYS) return t('settings.daysAgo', { count: days });
      return unbroken(instantParts(instant).date);
    },
    [t, now],
  );
}
