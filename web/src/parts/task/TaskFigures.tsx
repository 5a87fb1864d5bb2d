import Box from '@mui/material/Box';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { useNow } from '../../shared/hooks/useNow.ts';
import { clockParts, instantParts } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { RUNNING } from './verdict.ts';

const SOONEST_MS = 10_000;
const LATEST_MS = 15_000;

/** Cities, applications, successes, last look; the last one says so while nothing runs. */
export function TaskFigures({ task }: { task: Task }) {
  const { t } = useTranslation();
  const language = useLanguage();
  // Drawn anew every 10 to 15 s; each card in its own beat, so that a page of them does not do it at once.
  const [everyMs] = useState(() => SOONEST_MS + Math.floor(Math.random() * (LATEST_MS - SOONEST_MS)));
  useNow(RUNNING.includes(task.status) ? everyMs : 0);
  const last =
    RUNNING.includes(task.status) && task.engine.last_check_at
      ? clockParts(instantParts(task.engine.last_check_at).time, language)
      : null;
  const small = { fontSize: 12, fontWeight: 500, color: 'text.secondary' } as const;
  const figures = [
    {
      label: t('task.figCities'),
      value: task.monitoring_cities.length,
      unit: t('task.figCitiesUnit', { count: task.monitoring_cities.length }),
    },
    {
      label: t('task.figApplications'),
      value: task.appointments.length,
      unit: t('task.figApplicationsUnit', { count: task.appointments.length }),
    },
    {
      label: t('task.figSuccesses'),
      value: task.success_history.length,
      unit: t('task.figSuccessesUnit', { count: task.success_history.length }),
    },
  ];
  return (
    <Box
      component="dl"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: '1fr 1fr', sm: 'repeat(4, 1fr)' },
        border: 1,
        borderColor: 'divider',
        borderRadius: '12px',
        '& > div': { p: '10px 14px', minWidth: 0, borderColor: 'divider', borderStyle: 'solid', borderWidth: 0 },
        '& > div:nth-of-type(even)': { borderLeftWidth: 1 },
        '& > div:nth-of-type(n+3)': { borderTopWidth: { xs: 1, sm: 0 } },
        '& > div:nth-of-type(3)': { borderLeftWidth: { xs: 0, sm: 1 } },
        '& dt': { fontSize: 12, lineHeight: 1.5, color: 'text.tertiary' },
        '& dd': {
          fontSize: { xs: 18, sm: 20 },
          lineHeight: 1.3,
          fontWeight: 600,
          fontVariantNumeric: 'tabular-nums',
          whiteSpace: 'nowrap',
        },
      }}
    >
      {figures.map((figure) => (
        <div key={figure.label}>
          <dt>{figure.label}</dt>
          <dd>
            {figure.value}
            <Box component="small" sx={{ ...small, ml: 0.5 }}>
              {figure.unit}
            </Box>
          </dd>
        </div>
      ))}
      <div>
        <dt>{t('task.figLast')}</dt>
        <dd>
          {last === null ? (
            <Box component="span" sx={{ color: 'text.tertiary' }}>
              {t('task.notAvailable')}
            </Box>
          ) : (
            <>
              {language === 'zh' && (
                <Box component="small" sx={{ ...small, mr: 0.5 }}>
                  {last.half}
                </Box>
              )}
              {last.hour}
              {language === 'en' && (
                <Box component="small" sx={{ ...small, ml: 0.5 }}>
                  {last.half}
                </Box>
              )}
            </>
          )}
        </dd>
      </div>
    </Box>
  );
}
