import Box from '@mui/material/Box';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type HeatCell, type HeatFacts, heatMonth, stepFrom } from '../../parts/heatMap/heatMap.ts';
import type { SeenCity } from '../../shared/api/types.ts';
import type { CivilDate } from '../../shared/format/dates.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { MonthGrid } from './HeatCells.tsx';

/** A cell someone points at, with the city it belongs to. */
export interface Pointed {
  facility: string;
  cell: HeatCell;
  element: HTMLElement;
}

interface Props {
  city: SeenCity;
  months: CivilDate[];
  facts: HeatFacts;
  /** On a phone one month stands under a pager that names it. */
  single: boolean;
  selected: CivilDate | null;
  nameOf: (cell: HeatCell) => string;
  onPoint: (pointed: Pointed | null) => void;
  onPress: (pointed: Pointed) => void;
}

/** All shown months of one city. One cell is reached by Tab, the others by the arrow keys. */
export function HeatCity({ city, months, facts, single, selected, nameOf, onPoint, onPress }: Props) {
  const { t } = useTranslation();
  const cityName = useCityName();
  const box = useRef<HTMLDivElement>(null);
  const [stop, setStop] = useState<CivilDate | null>(null);
  const grids = months.map((month) => heatMonth(month, city, facts));
  const cells = grids.flatMap((grid) => grid.cells);
  const shown = cells.map((cell) => cell.date);
  const tabStop = stop && shown.includes(stop) ? stop : (cells.find((cell) => cell.times > 0)?.date ?? shown[0] ?? null);
  const columns = facts.weekends ? 7 : 5;
  const onKey = (cell: HeatCell, event: KeyboardEvent) => {
    const next = stepFrom(cell.date, event.key, shown);
    if (!next) return;
    event.preventDefault();
    setStop(next);
    box.current?.querySelector<HTMLElement>(`[data-date="${next}"]`)?.focus();
  };
  const name = cityName(city.facility);
  return (
    <Box role="group" aria-label={name} sx={{ '& + &': { borderTop: 1, borderColor: 'divider', mt: 2.25, pt: 2.25 } }}>
      {!single && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', gap: '2px 12px', mb: 1.25, fontSize: 14 }}>
          <Box component="b" sx={{ fontSize: 15, fontWeight: 600 }}>
            {name}
          </Box>
          <Box component="span" sx={{ color: 'text.tertiary', flex: 1 }}>
            {t('heat.seenDates', { count: city.days.length })}
          </Box>
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {city.now_earliest ? t('heat.nowEarliest', { date: city.now_earliest }) : t('heat.nowNone')}
          </Box>
        </Box>
      )}
      <Box
        ref={box}
        sx={{ display: single ? 'block' : 'flex', flexWrap: 'wrap', justifyContent: 'space-between', gap: '16px 8px' }}
      >
        {grids.map((grid) => (
          <MonthGrid
            key={grid.month}
            month={grid}
            columns={columns}
            titled={!single}
            selected={selected}
            tabStop={tabStop}
            nameOf={nameOf}
            onPoint={(cell, element) => {
              setStop(cell.date);
              onPoint({ facility: city.facility, cell, element });
            }}
            onLeave={() => onPoint(null)}
            onPress={(cell, element) => onPress({ facility: city.facility, cell, element })}
            onKey={onKey}
          />
        ))}
      </Box>
      {single && city.days.length === 0 && <Box sx={{ mt: 1.5, fontSize: 13, color: 'text.secondary' }}>{t('heat.none')}</Box>}
    </Box>
  );
}
