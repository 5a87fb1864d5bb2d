import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { styled } from '@mui/material/styles';
import type { KeyboardEvent, MouseEvent, SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { HeatCell, HeatMonth } from '../../parts/heatMap/heatMap.ts';
import { yearMonth } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { useWeekdays } from './useWeekdays.ts';

/** Cells of one size; on a phone they fill the width and are 40 px high. */
export const Grid = styled('div')<{ columns: number }>(({ columns }) => ({
  display: 'grid',
  gap: 2,
  gridTemplateColumns: `repeat(${columns}, 24px)`,
  '@media (max-width:599.95px)': { gap: 5, gridTemplateColumns: `repeat(${columns}, minmax(0,1fr))` },
}));

const hatch = (ground: string) =>
  `repeating-linear-gradient(135deg, color-mix(in srgb, var(--mui-palette-control) 38%, transparent) 0 1px, transparent 1px 4px) ${ground}`;

const Cell = styled(ButtonBase)(({ theme }) => {
  const { palette } = theme.vars;
  return {
    width: 24,
    height: 24,
    borderRadius: 6,
    fontSize: 12,
    fontWeight: 500,
    lineHeight: 1,
    fontVariantNumeric: 'tabular-nums',
    color: palette.text.tertiary,
    '&[data-in="true"]': { backgroundColor: palette.heat[0], color: palette.text.secondary },
    '&[data-level="1"]': { backgroundColor: palette.heat[1], color: palette.text.primary },
    '&[data-level="2"]': { backgroundColor: palette.heat[2], color: palette.text.primary },
    '&[data-level="3"]': { backgroundColor: palette.heat[3], color: palette.heat.on3 },
    '&[data-level="4"]': { backgroundColor: palette.heat[4], color: palette.heat.on4 },
    '&[data-excluded="true"]': { background: hatch(palette.background.paper), color: palette.text.secondary },
    '&[data-excluded="true"]:not([data-level="0"])': {
      boxShadow: `inset 0 0 0 2px ${palette.heat[3]}`,
      color: palette.text.primary,
    },
    '&[data-booked="true"]': {
      background: palette.primary.main,
      color: palette.primary.contrastText,
      fontWeight: 700,
      outline: `2px solid ${palette.primary.main}`,
      outlineOffset: 2,
    },
    '&[aria-pressed="true"], &.Mui-focusVisible': { outline: `2px solid ${palette.text.primary}`, outlineOffset: 1, zIndex: 1 },
    '@media (max-width:599.95px)': { width: '100%', height: 40, fontSize: 14, borderRadius: 8 },
  };
});

/** What happens at a cell; the same handlers serve all of them. */
export interface CellEvents {
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
  /** The one cell of the city that is reached by Tab. */
  tabStop: string | null;
  nameOf: (cell: HeatCell) => string;
}

/** One month of one city: weekday heads, then a button for each day. */
export function MonthGrid({ month, columns, titled, selected, tabStop, nameOf, onPoint, onLeave, onPress, onKey }: Props) {
  const language = useLanguage();
  const weekdays = useWeekdays(columns);
  return (
    <Box sx={{ minWidth: 0 }}>
      {titled && (
        <Box component="p" sx={{ fontSize: 12, lineHeight: '16px', fontWeight: 600, color: 'text.secondary', mb: 0.75 }}>
          {yearMonth(month.month, language)}
        </Box>
      )}
      <Grid columns={columns}>
        {weekdays.map((name) => (
          <Box
            key={name}
            component="span"
            aria-hidden
            sx={{ fontSize: 12, lineHeight: '16px', fontWeight: 500, color: 'text.tertiary', textAlign: 'center' }}
          >
            {name}
          </Box>
        ))}
        {month.blanks > 0 && <span style={{ gridColumn: `span ${month.blanks}` }} />}
        {month.cells.map((cell) => {
          const point = (event: SyntheticEvent<HTMLElement>) => onPoint(cell, event.currentTarget);
          return (
            <Cell
              key={cell.date}
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
              onClick={(event: MouseEvent<HTMLElement>) => onPress(cell, event.currentTarget)}
              onKeyDown={(event: KeyboardEvent) => onKey(cell, event)}
            >
              {Number(cell.date.slice(8))}
            </Cell>
          );
        })}
      </Grid>
    </Box>
  );
}

/** What the colours mean. */
export function HeatLegend({ booked }: { booked: boolean }) {
  const { t } = useTranslation();
  const swatch = { width: 14, height: 14, borderRadius: '4px', display: 'inline-block', flex: 'none' } as const;
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        gap: '4px 16px',
        mb: 2,
        fontSize: 13,
        lineHeight: 1.55,
        color: 'text.secondary',
        '& > span': { display: 'inline-flex', alignItems: 'center', gap: 0.75 },
      }}
    >
      <span>
        {t('heat.level')}
        <Box component="span" aria-hidden sx={{ display: 'inline-flex', gap: '2px' }}>
          {([0, 1, 2, 3, 4] as const).map((level) => (
            <Box key={level} component="span" sx={{ ...swatch, bgcolor: `heat.${level}` }} />
          ))}
        </Box>
        {t('heat.levels')}
      </span>
      <span>
        <Box component="span" aria-hidden sx={{ ...swatch, background: hatch('transparent') }} />
        {t('heat.excluded')}
      </span>
      <span>
        <Box component="span" aria-hidden sx={{ ...swatch, bgcolor: 'heat.0' }} />
        {t('heat.window')}
      </span>
      {booked && (
        <span>
          <Box component="span" aria-hidden sx={{ ...swatch, bgcolor: 'primary.main' }} />
          {t('heat.booked')}
        </span>
      )}
    </Box>
  );
}
