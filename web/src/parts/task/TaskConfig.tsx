import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { fromWire, shortRange } from '../../shared/format/excludedDates.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { inOnePiece, joined, unbroken } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { NoWrap } from '../../shared/ui/Text.tsx';
import { TooltipAt } from '../../shared/ui/Tooltip.tsx';
import { shortList } from './shortList.ts';
import styles from './TaskConfig.module.css';
import { type Term, TermList } from './TermList.tsx';
import { modeTexts } from './taskView.ts';
import { dayRulesOf, useDayRules } from './useDayRules.tsx';

/**
 * Renders the excluded dates: as many as fit, the number of others, and a tooltip with all of them.
 */
function Excluded({ task }: { task: Task }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [tip, setTip] = useState<Element | null>(null);
  const ranges = fromWire(task.schedule_config.search_params.excluded_dates ?? []).map((range) => {
    const { start, end } = shortRange(range);
    return inOnePiece(end === null ? start : t('unit.range', { start, end }));
  });
  if (ranges.length === 0) return t('task.none');
  const { text, more } = shortList(ranges, language === 'zh' ? '、' : ', ');
  return (
    <>
      {text}
      {more > 0 && (
        <button
          type="button"
          aria-label={`${t('task.more', { count: more })}: ${joined(ranges, language)}`}
          onClick={(event) => setTip(event.currentTarget)}
          onFocus={(event) => setTip(event.currentTarget)}
          onMouseEnter={(event) => setTip(event.currentTarget)}
          onBlur={() => setTip(null)}
          onMouseLeave={() => setTip(null)}
          className={styles.more}
        >
          {t('task.more', { count: more })}
        </button>
      )}
      {tip && (
        <TooltipAt anchor={tip} onClose={() => setTip(null)}>
          {joined(ranges, language)}
        </TooltipAt>
      )}
    </>
  );
}

/** Renders the search criteria of a task as a list of terms. */
export function TaskConfig({ task }: { task: Task }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const params = task.schedule_config.search_params;
  const { terms } = useDayRules();
  const cities = joined(
    params.required_cities.map((city) => cityName(city)),
    language,
  );
  const rows: Term[] = [
    { term: t('task.period'), value: unbroken(t('unit.range', { start: params.start_date, end: params.end_date })) },
    { term: t('task.minDays'), value: <NoWrap>{t('unit.days', { count: params.minimum_days_from_current })}</NoWrap> },
    { term: t('task.excluded'), value: <Excluded task={task} /> },
    ...terms(dayRulesOf(params)),
    { term: t('task.number'), value: task.portal_schedule_id },
    { term: t('task.cities'), value: cities },
    { term: t('task.mode'), value: t(modeTexts[task.schedule_config.booking_mode]) },
  ];
  return <TermList pairs="uneven" rows={rows} />;
}
