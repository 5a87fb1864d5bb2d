import Box from '@mui/material/Box';
import Tooltip from '@mui/material/Tooltip';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../api/types.ts';
import { joined, unbroken } from '../../i18n/format.ts';
import { useLanguage } from '../../i18n/useLanguage.ts';
import { civilToday } from '../../lib/dates.ts';
import { fromWire, shortRange } from '../../lib/excludedDates.ts';
import { shortList } from '../../lib/shortList.ts';
import { useCityName } from '../../lib/useCityName.ts';
import { NoWrap } from '../../ui/NoWrap.tsx';

/** The task's conditions as a list of terms. */
export function TaskConfig({ task }: { task: Task }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const params = task.schedule_config.search_params;
  const year = civilToday(Date.now()).slice(0, 4);
  const ranges = fromWire(params.excluded_dates ?? []).map((range) => {
    const { start, end } = shortRange(range, year);
    return end === null ? unbroken(start) : t('unit.range', { start, end });
  });
  const excluded = shortList(ranges, language === 'zh' ? '、' : ', ');
  const rows = [
    { term: t('task.period'), value: <NoWrap>{t('unit.range', { start: params.start_date, end: params.end_date })}</NoWrap> },
    { term: t('task.minDays'), value: <NoWrap>{t('unit.days', { count: params.minimum_days_from_current })}</NoWrap> },
    {
      term: t('task.excluded'),
      value:
        ranges.length === 0 ? (
          t('task.none')
        ) : (
          <>
            {excluded.text}
            {excluded.more > 0 && (
              <Tooltip title={joined(ranges, language)}>
                <Box
                  component="span"
                  tabIndex={0}
                  sx={{
                    ml: 0.5,
                    px: 0.75,
                    borderRadius: '6px',
                    bgcolor: 'neutral.soft',
                    fontSize: 12,
                    fontWeight: 500,
                    color: 'text.secondary',
                  }}
                >
                  {t('task.more', { count: excluded.more })}
                </Box>
              </Tooltip>
            )}
          </>
        ),
    },
    { term: t('task.number'), value: task.portal_schedule_id },
    {
      term: t('task.cities'),
      value: joined(
        params.required_cities.map((city) => cityName(city)),
        language,
      ),
    },
    { term: t('task.mode'), value: task.schedule_config.keep_current_appointment ? t('editor.notify') : t('task.rebooking') },
  ];
  return (
    <Box
      component="dl"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'auto 1fr', sm: 'auto 1.7fr auto 1fr' },
        gap: '6px 16px',
        fontSize: 14,
        lineHeight: 1.6,
        alignItems: 'baseline',
        '& dt': { color: 'text.tertiary', whiteSpace: 'nowrap' },
        '& dd': { minWidth: 0 },
      }}
    >
      {rows.map((row) => (
        <Box key={row.term} sx={{ display: 'contents' }}>
          <dt>{row.term}</dt>
          <dd>{row.value}</dd>
        </Box>
      ))}
    </Box>
  );
}
