import { useTranslation } from 'react-i18next';
import { type DateLineFacts, layoutDateLine } from './dateLine.ts';

/** Returns a sentence that describes a date line, for screen readers. */
export function useDateLineSentence(facts: DateLineFacts): string {
  const { t } = useTranslation();
  const { gainedDays } = layoutDateLine(facts);
  const parts: string[] = [t('dateline.saysToday', { date: facts.today })];
  if (facts.window) parts.push(t('dateline.saysWindow', { start: facts.window.start, end: facts.window.end }));
  const wanted = facts.seen?.filter((slot) => slot.wanted).length ?? 0;
  if (wanted > 0) parts.push(t('dateline.saysSeen', { count: wanted }));
  if (facts.best) parts.push(t('dateline.saysBest', { date: facts.best }));
  for (const date of [...(facts.others ?? []), facts.present]) if (date) parts.push(t('dateline.saysPresent', { date }));
  if (gainedDays !== null && facts.earlierDates?.[0])
    parts.push(t('dateline.saysGained', { from: facts.earlierDates[0], count: gainedDays }));
  return parts.join(t('dateline.comma'));
}
