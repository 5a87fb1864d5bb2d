import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import { useTranslation } from 'react-i18next';
import { DateLine } from '../../parts/dateLine/DateLine.tsx';
import { earlierDates } from '../../parts/task/taskView.ts';
import type { VerdictAction } from '../../parts/task/verdict.ts';
import type { SeenCalendar, Task } from '../../shared/api/types.ts';
import { civilToday } from '../../shared/format/dates.ts';
import { fromWire } from '../../shared/format/excludedDates.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { useAgo } from '../../shared/hooks/useAgo.ts';
import { clock, count, inOnePiece, instantClock } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { VerdictBlock } from './VerdictBlock.tsx';

interface Props {
  task: Task;
  calendar: SeenCalendar | undefined;
  hidden: boolean;
  busy: boolean;
  onAction: (action: NonNullable<VerdictAction>) => void;
}

/** The head of the page as one card: the verdict, the date line, and four figures with what they mean. */
export function TaskSummary({ task, calendar, hidden, busy, onAction }: Props) {
  const { t } = useTranslation();
  const params = task.schedule_config.search_params;
  return (
    <Card component="section" aria-label={t('detail.now')} sx={{ mb: { xs: 2, md: 3 } }}>
      <VerdictBlock task={task} hidden={hidden} busy={busy} onAction={onAction} />
      <Box sx={{ p: { xs: '16px 16px 4px', sm: '18px 24px 6px' } }}>
        <DateLine
          today={civilToday(Date.now())}
          window={{ start: params.start_date, end: params.end_date }}
          excluded={fromWire(params.excluded_dates ?? [])}
          seen={task.seen_dates}
          best={task.earliest_seen?.date}
          present={task.appointments[0]?.appointment_date}
          earlierDates={earlierDates(task)}
        />
      </Box>
      <Figures task={task} calendar={calendar} />
    </Card>
  );
}

function Figures({ task, calendar }: { task: Task; calendar: SeenCalendar | undefined }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const ago = useAgo();
  const first = task.appointments[0];
  const best = task.earliest_seen;
  const looked = task.engine.last_check_at;
  const seen = calendar?.cities.flatMap((city) => city.days) ?? [];
  const fitting = seen.filter((day) => day.wanted).length;
  const figures = [
    {
      label: t('detail.present'),
      value: first?.appointment_date ?? t('task.notAvailable'),
      unit: null,
      note: first?.appointment_date
        ? [cityName(first.facility), first.appointment_time && clock(first.appointment_time, language)].filter(Boolean).join(' ')
        : t('detail.noPresent'),
    },
    {
      label: t('detail.best'),
      value: best?.date ?? t('task.notAvailable'),
      unit: null,
      note: best ? [cityName(best.facility), inOnePiece(ago(best.seen_at))].join(t('dateline.comma')) : t('detail.nothingSeen'),
    },
    {
      label: t('detail.checks'),
      value: count(task.engine.checks),
      unit: null,
      note: looked ? t('detail.lastLook', { when: instantClock(looked, language) }) : t('detail.noLook'),
    },
    {
      label: t('detail.seen'),
      value: count(calendar ? seen.length : task.engine.slots_seen),
      unit: t('detail.dates', { count: calendar ? seen.length : task.engine.slots_seen }),
      note:
        seen.length === 0 ? t('detail.nothingSeen') : fitting > 0 ? t('detail.fits', { count: fitting }) : t('detail.fitsNone'),
    },
  ];
  return (
    <Box
      component="dl"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: '1fr 1fr', md: 'repeat(4, 1fr)' },
        borderTop: 1,
        borderColor: 'divider',
        '& > div': {
          p: { xs: '14px 16px', sm: '16px 24px' },
          minWidth: 0,
          borderStyle: 'solid',
          borderWidth: 0,
          borderColor: 'divider',
        },
        '& > div:nth-of-type(even)': { borderLeftWidth: 1 },
        '& > div:nth-of-type(3)': { borderLeftWidth: { xs: 0, md: 1 } },
        '& > div:nth-of-type(n+3)': { borderTopWidth: { xs: 1, md: 0 } },
      }}
    >
      {figures.map((figure) => (
        <div key={figure.label}>
          <Box component="dt" sx={{ fontSize: 13, lineHeight: 1.55, color: 'text.secondary' }}>
            {figure.label}
          </Box>
          <Box
            component="dd"
            sx={{
              fontSize: { xs: 18, sm: 24 },
              lineHeight: 1.3,
              fontWeight: 600,
              whiteSpace: 'nowrap',
              my: 0.25,
              color: figure.value === t('task.notAvailable') ? 'text.tertiary' : undefined,
            }}
          >
            {figure.value}
            {figure.unit && (
              <Box component="small" sx={{ ml: 0.5, fontSize: 14, fontWeight: 500, color: 'text.secondary' }}>
                {figure.unit}
              </Box>
            )}
          </Box>
          <Box component="dd" sx={{ fontSize: 12, lineHeight: 1.5, color: 'text.tertiary' }}>
            {figure.note}
          </Box>
        </div>
      ))}
    </Box>
  );
}
