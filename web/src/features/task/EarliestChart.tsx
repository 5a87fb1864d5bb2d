import Box from '@mui/material/Box';
import useMediaQuery from '@mui/material/useMediaQuery';
import { ChartsAxisHighlight } from '@mui/x-charts/ChartsAxisHighlight';
import { ChartsDataProvider } from '@mui/x-charts/ChartsDataProvider';
import { ChartsGrid } from '@mui/x-charts/ChartsGrid';
import { ChartsSurface } from '@mui/x-charts/ChartsSurface';
import { ChartsTooltip } from '@mui/x-charts/ChartsTooltip';
import { ChartsWrapper } from '@mui/x-charts/ChartsWrapper';
import { ChartsXAxis } from '@mui/x-charts/ChartsXAxis';
import { ChartsYAxis } from '@mui/x-charts/ChartsYAxis';
import { FocusedLineMark, LineHighlightPlot, LinePlot } from '@mui/x-charts/LineChart';
import { useTranslation } from 'react-i18next';
import type { SeenCalendar } from '../../shared/api/types.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { instantParts, instantShort, monthName } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { type ChartData, isShort, numberDay, timeTicks } from './chartData.ts';
import { BookedLine, EndLabels, SlotMarks, WindowBand, WindowLabel } from './chartParts.tsx';
import { dashOf, inkOf } from './seriesLooks.ts';

const tickText = { fill: 'var(--mui-palette-text-tertiary)', fontSize: 12, fontFamily: 'inherit' };
const HEIGHT = 330;
const PHONE_HEIGHT = 260;

/** The earliest date of each city over time as steps: the window as a band, the appointment as a line, slots that came and went as marks. */
export function EarliestChart({ data, calendar }: { data: ChartData; calendar: SeenCalendar }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const wide = useMediaQuery('(min-width:600px)');
  const day = (value: number) => numberDay(value);
  const short = isShort(data.from, data.until);
  const dashes = Object.fromEntries(
    data.series.map(({ facility }, index) => [
      `& .MuiLineElement-root[data-series="${facility}"], & [data-series="${facility}"]`,
      { strokeDasharray: dashOf(index) },
    ]),
  );
  return (
    <Box
      role="group"
      aria-label={t('chart.label')}
      sx={{ ...dashes, '& path[data-series]': { strokeLinejoin: 'round', strokeLinecap: 'round' } }}
    >
      <ChartsDataProvider
        height={wide ? HEIGHT : PHONE_HEIGHT}
        margin={{ left: 0, right: wide ? 118 : 22, top: 18, bottom: 4 }}
        skipAnimation
        series={data.series.map(({ facility, values }, index) => ({
          type: 'line' as const,
          id: facility,
          label: cityName(facility),
          data: values,
          color: inkOf(index),
          curve: 'stepAfter' as const,
          strictStepCurve: true,
          showMark: false,
          valueFormatter: (value: number | null) => (value === null ? t('chart.none') : day(value)),
        }))}
        xAxis={[
          {
            id: 'time',
            scaleType: 'time',
            data: data.times.map((at) => new Date(at)),
            min: new Date(data.from),
            max: new Date(data.until),
            tickInterval: timeTicks(data.from, data.until, wide ? 6 : 4).map((at) => new Date(at)),
            tickLabelStyle: tickText,
            disableLine: true,
            disableTicks: true,
            height: 28,
            valueFormatter: (value: Date, context) =>
              context.location === 'tick'
                ? short
                  ? instantParts(value.toISOString()).time
                  : instantParts(value.toISOString()).date.slice(5)
                : instantShort(value.toISOString(), language),
          },
        ]}
        yAxis={[
          {
            id: 'date',
            min: data.min,
            max: data.max,
            tickInterval: data.ticks,
            disableLine: true,
            disableTicks: true,
            width: 44,
            tickLabelStyle: tickText,
            valueFormatter: (value: number) => monthName(day(value), language),
          },
        ]}
      >
        <ChartsWrapper>
          <ChartsSurface
            sx={{
              '& .MuiChartsGrid-line': { stroke: 'var(--mui-palette-divider)' },
              '&:focus-visible': { outline: '2px solid var(--mui-palette-primary-main)', outlineOffset: 2, borderRadius: '8px' },
            }}
          >
            {calendar.window && <WindowBand window={calendar.window} />}
            <ChartsGrid horizontal />
            {calendar.booked && <BookedLine booked={calendar.booked} />}
            <ChartsAxisHighlight x="line" />
            <LinePlot />
            <FocusedLineMark />
            <SlotMarks data={data} labelled={wide} />
            {calendar.window && <WindowLabel window={calendar.window} booked={calendar.booked} data={data} />}
            <EndLabels data={data} named={wide} />
            <LineHighlightPlot />
            <ChartsXAxis axisId="time" />
            <ChartsYAxis axisId="date" />
          </ChartsSurface>
          <ChartsTooltip trigger="axis" />
        </ChartsWrapper>
      </ChartsDataProvider>
    </Box>
  );
}
