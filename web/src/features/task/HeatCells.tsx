import type { CSSProperties, KeyboardEvent, SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { type HeatCell, type HeatMonth, heatRanges } from '../../parts/heatMap/heatMap.ts';
import { yearMonth } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { classes } from '../../shared/ui/classes.ts';
import styles from './HeatCells.module.css';
import { useWeekdays } from './useWeekdays.ts';

/** Event handlers of a cell. All cells share them. */
interface CellEvents {
  onPoint: (cell: HeatCell, element: HTMLElement) => void;
  onLeave: () => void;
  onPress: (cell: HeatCell, element: HTMLElement) => void;
  onKey: (cell: HeatCell, event: KeyboardEvent) => void;
}

interface Props extends CellEvents {
  month: HeatMonth;
  columns: number;
  titled: boolean;
  selected: string | null;
  /** Date of the only cell of this city that Tab reaches. */
  tabStop: string | null;
  nameOf: (cell: HeatCell) => string;
}

/** Renders one month of one city: weekday names, then one button per date. */
export function MonthGrid({ month, columns, titled, selected, tabStop, nameOf, onPoint, onLeave, onPress, onKey }: Props) {
  const language = useLanguage();
  const weekdays = useWeekdays(columns);
  return (
    <div className={styles.month}>
      {titled && <p className={styles.name}>{yearMonth(month.month, language)}</p>}
      <div className={styles.grid} style={{ '--columns': columns, '--blanks': month.blanks } as CSSProperties}>
        {weekdays.map((name) => (
          <span key={name} aria-hidden="true" className={styles.weekday}>
            {name}
          </span>
        ))}
        {month.blanks > 0 && <span className={styles.blank} />}
        {month.cells.map((cell) => {
          const point = (event: SyntheticEvent<HTMLElement>) => onPoint(cell, event.currentTarget);
          return (
            <button
              key={cell.date}
              type="button"
              data-date={cell.date}
              data-level={cell.level}
              data-in={cell.inWindow}
              data-excluded={cell.excluded}
              data-booked={cell.booked}
              aria-label={nameOf(cell)}
              aria-pressed={selected === cell.date}
              tabIndex={tabStop === cell.date ? 0 : -1}
              onMouseEnter={point}
              onFocus={point}
              onMouseLeave={onLeave}
              onBlur={onLeave}
              onClick={(event) => onPress(cell, event.currentTarget)}
              onKeyDown={(event) => onKey(cell, event)}
              className={styles.cell}
            >
              {Number(cell.date.slice(8))}
            </button>
          );
        })}
      </div>
    </div>
  );
}

const levels = [styles.level0, styles.level1, styles.level2, styles.level3, styles.level4];

/** Renders the legend of the colours. */
export function HeatLegend({ booked }: { booked: boolean }) {
  const { t } = useTranslation();
  return (
    <div className={styles.legend}>
      <span className={styles.levels}>
        {t('heat.level')}
        {heatRanges.map((times, level) => (
          <span key={times}>
            <span aria-hidden="true" className={classes(styles.swatch, levels[level])} />
            {times}
          </span>
        ))}
      </span>
      <Swatch kind={styles.excluded}>{t('heat.excluded')}</Swatch>
      <Swatch kind={styles.in}>{t('heat.window')}</Swatch>
      {booked && <Swatch kind={styles.booked}>{t('heat.booked')}</Swatch>}
    </div>
  );
}

function Swatch({ kind, children }: { kind: string | undefined; children: string }) {
  return (
    <span>
      <span aria-hidden="true" className={classes(styles.swatch, kind)} />
      {children}
    </span>
  );
}
