import Box from '@mui/material/Box';
import Tooltip from '@mui/material/Tooltip';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { civilToday } from '../../shared/format/dates.ts';
import { fromWire, shortRange } from '../../shared/format/excludedDates.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { inOnePiece, joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { NoWrap } from '../../shared/ui/Text.tsx';
import { shortList } from './shortList.ts';
import { type Term, TermList } from './TermList.tsx';

/** The excluded days: as many as fit, the rest counted, all of them in the tooltip (by pointer, touch and keyboard). */
function Excluded({ task }: { task: Task }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const year = civilToday(Date.now()).slice(0, 4);
  const ranges = fromWire(task.schedule_config.search_params.excluded_dates ?? []).map((range) => {
    const { start, end } = shortRange(range, year);
    return inOnePiece(end === null ? start : t('unit.range', { start, end }));
  });
  if (ranges.length === 0) return t('task.none');
  const { text, more } = shortList(ranges, language === 'zh' ? '、' : ', ');
  return (
    <>
      {text}
      {more > 0 && (
        <Tooltip title={joined(ranges, language)} enterTouchDelay={0} leaveTouchDelay={6000}>
          <Box
            component="button"
            type="button"
            aria-label={`${t('task.more', { count: more })}: ${joined(ranges, language)}`}
            sx={{
              ml: 0.5,
              px: 0.75,
              minHeight: 24,
              minWidth: 24,
              border: 0,
              borderRadius: '6px',
              bgcolor: 'neutral.soft',
              font: 'inherit',
              fontSize: 12,
              fontWeight: 500,
              color: 'text.secondary',
            }}
          >
            {t('task.more', { count: more })}
          </Box>
        </Tooltip>
      )}
    </>
  );
}

/** The task's conditions as a list of terms. */
export function TaskConfig({ task }: { task: Task }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const params = task.schedule_config.search_params;
  const notify = task.schedule_config.keep_current_appointment;
  const cities = joined(
    params.required_cities.map((city) => cityName(city)),
    language,
  );
  const rows: Term[] = [
    { term: t('task.period'), value: <NoWrap>{t('unit.range', { start: params.start_date, end: params.end_date })}</NoWrap> },
    { term: t('task.minDays'), value: <NoWrap>{t('unit.days', { count: params.minimum_days_from_current })}</NoWrap> },
    { term: t('task.excluded'), value: <Excluded task={task} /> },
    { term: t('task.number'), value: task.portal_schedule_id },
    { term: t('task.cities'), value: cities },
    { term: t('task.mode'), value: notify ? t('editor.notify') : t('task.rebooking') },
  ];
  return <TermList rows={rows} />;
}
