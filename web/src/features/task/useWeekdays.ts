import { addDays } from '../../shared/format/dates.ts';
import { weekdayLetter } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';

const A_MONDAY = '2026-11-23';

/** Returns the headings of five or seven columns, Monday first. */
export function useWeekdays(columns: number): string[] {
  const language = useLanguage();
  return Array.from({ length: columns }, (_, day) => weekdayLetter(addDays(A_MONDAY, day), language));
}
