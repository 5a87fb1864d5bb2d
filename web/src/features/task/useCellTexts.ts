import { useTranslation } from 'react-i18next';
import type { HeatCell } from '../../parts/heatMap/heatMap.ts';
import type { Task } from '../../shared/api/types.ts';
import { dateInFull, instantInFull } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { useReasons } from './useReasons.ts';
import { whyNotDay } from './whyNot.ts';

/**
 * Returns functions that format the texts of a cell: its accessible name, and two lines of details.
 */
export function useCellTexts(task: Task) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { facts, reasonText } = useReasons(task);
  const times = (cell: HeatCell) => (cell.times > 0 ? t('heat.times', { count: cell.times }) : t('heat.never'));

  /**
   * Returns the accessible name, such as `2027 年 2 月 5 日 周五，见到 3 次`, with whether the date is
   * excluded or booked.
   */
  const nameOf = (cell: HeatCell) =>
    [
      dateInFull(cell.date, language),
      times(cell),
      ...(cell.excluded ? [t('heat.excluded')] : []),
      ...(cell.booked ? [t('heat.booked')] : []),
    ].join(t('heat.comma'));

  /** Returns how often the date was seen, and when last. */
  const seenOf = (cell: HeatCell) =>
    cell.seen
      ? [times(cell), t('heat.last', { when: instantInFull(cell.seen.last_seen_at, language) })].join(t('heat.comma'))
      : times(cell);

  /** Returns whether the date matches the task's criteria, or why not. */
  const resultOf = (facility: string, cell: HeatCell) => {
    if (cell.booked) return t('heat.booked');
    if (cell.seen?.wanted) return t('heat.fits');
    const reason = cell.seen && whyNotDay(facility, cell.seen, facts);
    if (reason) return reasonText(reason);
    if (cell.excluded) return t('heat.excluded');
    return cell.inWindow ? t('heat.window') : t('heat.outside');
  };
  return { nameOf, seenOf, resultOf };
}
