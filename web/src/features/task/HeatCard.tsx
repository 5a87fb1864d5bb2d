import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { detailQueries } from '../../shared/api/detail.ts';
import type { Task } from '../../shared/api/types.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { HeatSkeleton } from './DetailSkeleton.tsx';
import { HeatMap } from './HeatMap.tsx';
import { HeatTable } from './HeatTable.tsx';
import { Part, Ready } from './Part.tsx';
import { Empty } from './pieces.tsx';

/** The span of the map: everything the server keeps. */
export const HEAT_SPAN = 90;

/** Every date seen, per city, as a calendar or as a table. */
export function HeatCard({ task }: { task: Task }) {
  const { t } = useTranslation();
  const [table, setTable] = useState(false);
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
            startIcon={<Icon name={table ? 'grid' : 'list'} size={16} />}
          >
            {table ? t('detail.picture') : t('detail.table')}
          </Button>
        )
      }
    >
      <Ready query={query} skeleton={<HeatSkeleton />}>
        {(calendar) => (
          <Box>
            {!seen && (
              <Box sx={{ mb: 2 }}>
                <Empty>{t('heat.empty')}</Empty>
              </Box>
            )}
            {table ? <HeatTable task={task} cities={calendar.cities} /> : <HeatMap task={task} calendar={calendar} />}
          </Box>
        )}
      </Ready>
    </Part>
  );
}
