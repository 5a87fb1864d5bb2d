import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { LayoutGrid, List } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { useMediaQuery } from '../../shared/ui/useMediaQuery.ts';
import { Empty } from './cardParts.tsx';
import { HeatSkeleton } from './DetailSkeleton.tsx';
import { HeatMap } from './HeatMap.tsx';
import { HeatTable } from './HeatTable.tsx';
import { Part, Ready } from './Part.tsx';
import { detailQueries, HEAT_SPAN } from './queries.ts';

/** Period of the heat map. The server stores no older data. */

/** Renders all seen dates of a task by city, as a calendar or a table. */
export function HeatCard({ task }: { task: Task }) {
  const { t } = useTranslation();
  const [table, setTable] = useState(false);
  // Paper may have no colours, and the calendar shows only some months. Therefore the table is
  // printed too.
  const printing = useMediaQuery('print');
  const query = useQuery({ ...detailQueries.calendar(task.id, HEAT_SPAN), placeholderData: keepPreviousData });
  const seen = query.data?.cities.some((city) => city.days.length > 0) ?? false;
  return (
    <Part
      title={t('heat.title')}
      mark={
        seen && (
          <Button
            variant="ghost"
            size="small"
            aria-pressed={table}
            onClick={() => setTable(!table)}
            start={<Icon of={table ? LayoutGrid : List} size={16} />}
          >
            {table ? t('detail.picture') : t('detail.table')}
          </Button>
        )
      }
    >
      <Ready query={query} skeleton={<HeatSkeleton />}>
        {(calendar) => (
          <Stack>
            {!seen && <Empty>{t('heat.empty')}</Empty>}
            {!table && <HeatMap task={task} calendar={calendar} />}
            {(table || (printing && seen)) && <HeatTable task={task} cities={calendar.cities} />}
          </Stack>
        )}
      </Ready>
    </Part>
  );
}
