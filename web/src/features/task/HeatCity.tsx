import { type KeyboardEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type HeatCell, type HeatFacts, heatMonth, stepFrom } from '../../parts/heatMap/heatMap.ts';
import type { SeenCity } from '../../shared/api/types.ts';
import type { CivilDate } from '../../shared/format/dates.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { classes } from '../../shared/ui/classes.ts';
import { Text } from '../../shared/ui/Text.tsx';
import { MonthGrid } from './HeatCells.tsx';
import styles from './HeatCity.module.css';

/** Selected cell, with its city. */
export interface Pointed {
  facility: string;
  cell: HeatCell;
  element: HTMLElement;
}

interface Props {
  city: SeenCity;
  months: CivilDate[];
  facts: HeatFacts;
  /** True on a phone, which shows one month and names it above. */
  single: boolean;
  selected: CivilDate | null;
  nameOf: (cell: HeatCell) => string;
  onPoint: (pointed: Pointed | null) => void;
  onPress: (pointed: Pointed) => void;
}

/**
 * Renders the visible months of one city. Tab reaches one cell, and arrow keys reach the others.
 */
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
    <div role="group" aria-label={name} className={styles.city}>
      {!single && (
        <div className={styles.head}>
          <Text as="b" variant="strong">
            {name}
          </Text>
          <span className={styles.count}>{t('heat.seenDates', { count: city.days.length })}</span>
          <span className={styles.now}>
            {city.now_earliest ? t('heat.nowEarliest', { date: city.now_earliest }) : t('heat.nowNone')}
          </span>
        </div>
      )}
      <div ref={box} className={classes(styles.months, single && styles.single)}>
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
      </div>
      {single && city.days.length === 0 && (
        <Text variant="caption" color="secondary" className={styles.none}>
          {t('heat.none')}
        </Text>
      )}
    </div>
  );
}
