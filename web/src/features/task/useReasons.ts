import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { unbroken } from '../../shared/i18n/format.ts';
import type { Reason, ReasonFacts } from './whyNot.ts';

/** Returns a function that formats a reason, and the values that reasons of this task need. */
export function useReasons(task: Task): { facts: ReasonFacts; reasonText: (reason: Reason) => string } {
  const { t } = useTranslation();
  const cityName = useCityName();
  const facts: ReasonFacts = {
    params: task.schedule_config.search_params,
    cityName,
    range: (start, end) => (end === null ? unbroken(start) : t('unit.range', { start, end })),
  };
  return { facts, reasonText: (reason) => t(reason.textKey, reason.values) as string };
}
