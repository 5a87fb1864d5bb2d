import { useTranslation } from 'react-i18next';
import { addDays, type CivilDate } from '../../shared/format/dates.ts';
import { displayToday, instantClock, instantParts, unbroken } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';

/**
 * Returns a function that formats a date as a heading. Today and yesterday are shown by name and
 * date.
 */
export function useDayName(): (day: CivilDate) => string {
  const { t } = useTranslation();
  const today = displayToday(Date.now());
  return (day) => {
    const short = unbroken(day);
    if (day === today) return `${t('detail.today')} ${short}`;
    if (day === addDays(today, -1)) return `${t('detail.yesterday')} ${short}`;
    return short;
  };
}

/** Returns a function that formats an instant with its day: `今天 下午 9:40`, `2026-11-21 上午 0:40`. */
export function useWhen(): (instant: string) => string {
  const { t } = useTranslation();
  const language = useLanguage();
  const today = displayToday(Date.now());
  return (instant) => {
    const { date } = instantParts(instant);
    const time = instantClock(instant, language);
    if (date === today) return `${t('detail.today')} ${time}`;
    if (date === addDays(today, -1)) return `${t('detail.yesterday')} ${time}`;
    return `${unbroken(date)} ${time}`;
  };
}
