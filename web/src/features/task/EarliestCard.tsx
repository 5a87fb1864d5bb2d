import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { detailQueries, type SeenSpan } from '../../shared/api/detail.ts';
import type { SeenCalendar, Task } from '../../shared/api/types.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { Segmented } from '../../shared/ui/Choices.tsx';
import { chartData, chartTable } from './chartData.ts';
import { Part, Ready } from './Part.tsx';
import { PartBoundary } from './PartBoundary.tsx';
import { Empty, TableBox } from './pieces.tsx';
import { dashOf, inkOf } from './seriesLooks.ts';

// The charts' code is its own chunk: the rest of the page does not wait for it. A fetch that failed is made again on retry.
const loadChart = () =>
  lazy(() => import('./EarliestChart.tsx').then(({ EarliestChart: Component }) => ({ default: Component })));
let EarliestChart = loadChart();

const spans: SeenSpan[] = [7, 22, 90];
const shape = <Skeleton variant="rounded" sx={{ height: { xs: 260, sm: 330 } }} />;

/** The earliest date of each city over 7, 22 or 90 days, as a picture or as a table. */
export function EarliestCard({ task }: { task: Task }) {
  const { t } = useTranslation();
  const [days, setDays] = useState<SeenSpan>(22);
  const [table, setTable] = useState(false);
  const query = useQuery({ ...detailQueries.calendar(task.id, days), placeholderData: keepPreviousData });
  return (
    <Part
      title={t('chart.title')}
      mark={
        <Button
          variant="ghost"
          size="small"
          aria-pressed={table}
          onClick={() => setTable(!table)}
          startIcon={<Icon name={table ? 'activity' : 'list'} size={16} />}
        >
          {table ? t('detail.picture') : t('detail.table')}
        </Button>
      }
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '8px 12px', mb: 1 }}>
        <Segmented
          label={t('chart.span')}
          value={String(days)}
          options={spans.map((span) => ({ value: String(span), label: t('chart.days', { count: span }) }))}
          onChange={(span) => setDays(Number(span) as SeenSpan)}
        />
        <Box
          component="span"
          sx={{
            fontSize: 13,
            color: 'text.tertiary',
            flex: 1,
            visibility: { xs: 'hidden', sm: 'visible' },
            whiteSpace: 'nowrap',
            overflow: 'hidden',
          }}
        >
          {t('chart.lower')}
        </Box>
      </Box>
      <Ready query={query} skeleton={shape}>
        {(calendar) =>
          calendar.series.every((series) => series.points.length === 0) ? (
            <Empty>{t('chart.empty')}</Empty>
          ) : table ? (
            <Table calendar={calendar} days={days} />
          ) : (
            <PartBoundary
              fallback={(again) => (
                <>
                  <Notice
                    tone="quiet"
                    action={
                      <Button
                        variant="outlined"
                        size="small"
                        onClick={() => {
                          EarliestChart = loadChart();
                          again();
                        }}
                      >
                        {t('problem.retry')}
                      </Button>
                    }
                  >
                    {t('chart.broken')}
                  </Notice>
                  <Box sx={{ mt: 1.5 }}>
                    <Table calendar={calendar} days={days} />
                  </Box>
                </>
              )}
            >
              <Picture calendar={calendar} days={days} />
            </PartBoundary>
          )
        }
      </Ready>
    </Part>
  );
}

function Picture({ calendar, days }: { calendar: SeenCalendar; days: SeenSpan }) {
  const { t } = useTranslation();
  const cityName = useCityName();
  const data = chartData(calendar, Date.now(), days);
  return (
    <>
      <Suspense fallback={shape}>
        <EarliestChart data={data} calendar={calendar} />
      </Suspense>
      <Box
        component="ul"
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          gap: '2px 16px',
          mt: 0.5,
          fontSize: 13,
          // From 600 px up the names stand at the ends of the lines; for screen readers they are always here.
          ...{
            '@media (min-width:600px)': {
              position: 'absolute',
              clipPath: 'inset(50%)',
              width: '1px',
              height: '1px',
              overflow: 'hidden',
            },
          },
          '& li': { display: 'flex', alignItems: 'center', gap: 0.75 },
        }}
      >
        {data.series.map(({ facility, last }, index) => (
          <li key={facility}>
            <svg width="24" height="4" aria-hidden focusable="false">
              <path d="M0 2h24" stroke={inkOf(index)} strokeWidth="2.5" strokeDasharray={dashOf(index)} />
            </svg>
            {last
              ? t('chart.saysCity', { city: cityName(facility), date: last })
              : t('chart.saysNone', { city: cityName(facility) })}
          </li>
        ))}
      </Box>
      {data.marks.length > 0 && (
        <Box
          sx={{
            display: 'flex',
            gap: 0.75,
            mt: 1,
            fontSize: 13,
            lineHeight: 1.55,
            color: 'text.secondary',
            '& svg': { mt: '2px' },
          }}
        >
          <Icon name="info" size={16} />
          {t('chart.note')}
        </Box>
      )}
    </>
  );
}

function Table({ calendar, days }: { calendar: SeenCalendar; days: SeenSpan }) {
  const { t } = useTranslation();
  const cityName = useCityName();
  return (
    <TableBox label={t('chart.label')}>
      <thead>
        <tr>
          <th scope="col">{t('chart.day')}</th>
          {calendar.series.map(({ facility }) => (
            <th key={facility} scope="col">
              {cityName(facility)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {chartTable(calendar, Date.now(), days).map((row) => (
          <tr key={row.day}>
            <th scope="row">{row.day}</th>
            {row.dates.map((date, index) => (
              <td key={calendar.series[index]?.facility}>{date ?? t('chart.none')}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}
