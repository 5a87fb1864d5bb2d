import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Activity, Info, List } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SeenCalendar, Task } from '../../shared/api/types.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { Segmented } from '../../shared/ui/Segmented.tsx';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { Empty, SpareTable, TableBox } from './cardParts.tsx';
import { chartData, chartTable } from './chartData.ts';
import styles from './EarliestCard.module.css';
import { Part, Ready } from './Part.tsx';
import { PartBoundary } from './PartBoundary.tsx';
import { detailQueries, type SeenSpan } from './queries.ts';
import { SeriesSwatch } from './SeriesSwatch.tsx';

// Returns the chart as a lazy component. Its code is a separate chunk, so that the page does not
// wait for it. After a failed load this function is called again.
const loadChart = () =>
  lazy(() => import('./EarliestChart.tsx').then(({ EarliestChart: Component }) => ({ default: Component })));
let EarliestChart = loadChart();

const spans: SeenSpan[] = [7, 30, 90];
const shape = <Skeleton kind="block" className={styles.shape} />;

/** Renders the earliest date in each city over 7, 30 or 90 days, as a chart or a table. */
export function EarliestCard({ task }: { task: Task }) {
  const { t } = useTranslation();
  const [days, setDays] = useState<SeenSpan>(30);
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
          start={<Icon of={table ? Activity : List} size={16} />}
        >
          {table ? t('detail.picture') : t('detail.table')}
        </Button>
      }
    >
      <div className={styles.head}>
        <Segmented
          label={t('chart.span')}
          value={String(days)}
          options={spans.map((span) => ({ value: String(span), label: t('chart.days', { count: span }) }))}
          onChange={(span) => setDays(Number(span) as SeenSpan)}
        />
        <Text as="span" variant="caption" color="tertiary" className={styles.lower}>
          {t('chart.lower')}
        </Text>
      </div>
      <Ready query={query} skeleton={shape}>
        {(calendar) =>
          calendar.series.every((series) => series.points.length === 0) ? (
            <Empty>{t('chart.empty')}</Empty>
          ) : table ? (
            <TableBox label={t('chart.label')}>
              <Rows calendar={calendar} days={days} />
            </TableBox>
          ) : (
            <PartBoundary
              fallback={(again) => (
                <Stack gap={3}>
                  <Alert
                    tone="quiet"
                    action={
                      <Button
                        variant="secondary"
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
                  </Alert>
                  <TableBox label={t('chart.label')}>
                    <Rows calendar={calendar} days={days} />
                  </TableBox>
                </Stack>
              )}
            >
              <Picture task={task} calendar={calendar} days={days} />
            </PartBoundary>
          )
        }
      </Ready>
    </Part>
  );
}

function Picture({ task, calendar, days }: { task: Task; calendar: SeenCalendar; days: SeenSpan }) {
  const { t } = useTranslation();
  const cityName = useCityName();
  const lastPolls = Object.fromEntries(task.engine.cities.map((city) => [city.facility, city.last_answer_at]));
  const data = chartData(calendar, Date.now(), days, lastPolls);
  return (
    <>
      <Suspense fallback={shape}>
        <EarliestChart data={data} calendar={calendar} />
      </Suspense>
      <ul className={styles.legend}>
        {data.series.map(({ facility, last }, index) => (
          <li key={facility}>
            <SeriesSwatch index={index} />
            {last
              ? t('chart.saysCity', { city: cityName(facility), date: last })
              : t('chart.saysNone', { city: cityName(facility) })}
          </li>
        ))}
      </ul>
      <SpareTable label={t('chart.title')}>
        <Rows calendar={calendar} days={days} />
      </SpareTable>
      {data.marks.length > 0 && (
        <div className={styles.note}>
          <Icon of={Info} size={16} />
          <span>{t('chart.note')}</span>
        </div>
      )}
    </>
  );
}

/** Renders the same data as a table with one row per day. */
function Rows({ calendar, days }: { calendar: SeenCalendar; days: SeenSpan }) {
  const { t } = useTranslation();
  const cityName = useCityName();
  return (
    <>
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
    </>
  );
}
