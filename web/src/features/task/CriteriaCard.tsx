import { MailQuestion, SlidersHorizontal } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { capabilityWhile } from '../../parts/task/capabilities.ts';
import { modeTexts } from '../../parts/task/taskView.ts';
import { dayRulesOf, useDayRules } from '../../parts/task/useDayRules.tsx';
import type { Task, Widening } from '../../shared/api/types.ts';
import { fromWire, shortRange } from '../../shared/format/excludedDates.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { joined, unbroken } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Inset } from '../../shared/ui/Card.tsx';
import { SideNote } from '../../shared/ui/SideNote.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './CriteriaCard.module.css';
import { Part, Terms } from './Part.tsx';

const MOST_RANGES = 6;

interface Props {
  task: Task;
  widen: Widening | null;
  busy: boolean;
  onEdit: () => void;
  onWiden: (end: string) => void;
}

/**
 * Renders the search criteria of a task, and how many seen dates a later end of the window would
 * include.
 */
export function CriteriaCard({ task, widen, busy, onEdit, onWiden }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const { terms } = useDayRules();
  const edit = capabilityWhile(busy, task, 'edit');
  const params = task.schedule_config.search_params;
  const ranges = fromWire(params.excluded_dates ?? []).map((range) => {
    const { start, end } = shortRange(range);
    return end === null ? unbroken(start) : t('unit.range', { start, end });
  });
  const rows = [
    { term: t('task.period'), value: t('unit.range', { start: params.start_date, end: params.end_date }) },
    {
      term: t('rail.minimum'),
      value: <span className={styles.unbroken}>{t('unit.days', { count: params.minimum_days_from_current })}</span>,
    },
    {
      term: t('rail.order'),
      value: joined(
        params.required_cities.map((city) => cityName(city)),
        language,
      ),
    },
    {
      term: t('task.excluded'),
      value:
        ranges.length === 0 ? (
          t('task.none')
        ) : (
          <>
            {ranges.slice(0, MOST_RANGES).map((range) => (
              <span key={range} className={styles.range}>
                {range}
              </span>
            ))}
            {ranges.length > MOST_RANGES && t('task.more', { count: ranges.length - MOST_RANGES })}
          </>
        ),
    },
    ...terms(dayRulesOf(params)),
    {
      term: t('task.mode'),
      value:
        task.schedule_config.booking_mode === 'auto'
          ? t('rail.improve', { count: params.min_improvement_days })
          : t(modeTexts[task.schedule_config.booking_mode]),
    },
  ];
  return (
    <Part
      icon={SlidersHorizontal}
      title={t('rail.criteria')}
      mark={
        <Button variant="text" size="small" disabled={!edit.allowed} onClick={onEdit} className={styles.change}>
          {t('rail.change')}
        </Button>
      }
    >
      <Terms rows={rows} />
      {task.schedule_config.asks_first_for_now && <SideNote icon={MailQuestion}>{t('rail.asksForNow')}</SideNote>}
      {widen && (
        <Inset className={styles.widen}>
          <Text variant="label">{t('rail.widenTitle', { date: widen.end_date, count: widen.more_dates })}</Text>
          <Text variant="caption" color="secondary" className={styles.widenText}>
            {widen.days_sooner === null
              ? t('rail.widenFirst', { date: widen.earliest })
              : t('rail.widenText', { date: widen.earliest, count: widen.days_sooner })}
          </Text>
          <Button variant="soft" size="small" disabled={!edit.allowed} onClick={() => onWiden(widen.end_date)}>
            {t('rail.widen', { date: widen.end_date })}
          </Button>
        </Inset>
      )}
    </Part>
  );
}
