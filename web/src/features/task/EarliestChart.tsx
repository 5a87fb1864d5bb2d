import { AxisBottom, AxisLeft, type TickRendererProps } from '@visx/axis';
import { Group } from '@visx/group';
import { scaleLinear, scaleTime } from '@visx/scale';
import { LinePath } from '@visx/shape';
import type { TFunction } from 'i18next';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SeenCalendar } from '../../shared/api/types.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { useMediaQuery } from '../../shared/ui/useMediaQuery.ts';
import { ChartTip, useMomentTexts } from './ChartTip.tsx';
import { type ChartData, crossesYears, monthLabels, tickLabel, timeTicks } from './chartData.ts';
import {
  type Area,
  type Corner,
  chartArea,
  labelWidth,
  lineEnds,
  nearestTime,
  placeLabels,
  placeMarks,
  type Scales,
  stepCorners,
  timeFromKey,
  WORDS_INSET,
} from './chartLayout.ts';
import { BookedLine, EndLabel, LabelAt, SlotMark, WindowBand } from './chartParts.tsx';
import styles from './EarliestChart.module.css';
import { dashOf, inkOf } from './seriesStyles.ts';
import { useWidth } from './useWidth.ts';

const HEIGHT = 330;
const PHONE_HEIGHT = 260;

interface Props {
  data: ChartData;
  calendar: SeenCalendar;
}

/**
 * Renders the earliest date of each city over time as a step chart. The window is a band, the
 * appointment a line, and dates that disappeared before a booking are marks. The pointer or arrow
 * keys select a moment, whose dates appear in a tooltip.
 */
export function EarliestChart({ data, calendar }: Props) {
  const { t } = useTranslation();
  const wide = useMediaQuery('(min-width:600px)');
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [pointed, setPointed] = useState<number | null>(null);
  const momentText = useMomentTexts(data);
  const height = wide ? HEIGHT : PHONE_HEIGHT;
  const area = chartArea(width, height, wide);
  const time = scaleTime({ domain: [data.from, data.until], range: [area.left, area.left + area.width] });
  const day = scaleLinear({ domain: [data.min, data.max], range: [area.top + area.height, area.top] });
  const scales: Scales = { x: (moment) => time(moment), y: (value) => day(value) };
  // The user may have chosen a shorter period since.
  const at = pointed === null ? null : Math.min(pointed, data.times.length - 1);
  const left = at === null ? 0 : scales.x(data.times[at] ?? data.until);
  const onPoint = (event: PointerEvent<HTMLElement>) =>
    setPointed(nearestTime(data.times, event.clientX - event.currentTarget.getBoundingClientRect().left, scales.x));
  const onKey = (event: KeyboardEvent) => {
    const next = event.key === 'Escape' ? null : timeFromKey(event.key, at, data.times.length);
    if (next === null && event.key !== 'Escape') return;
    event.preventDefault();
    setPointed(next);
  };
  return (
    <div role="group" aria-label={t('chart.label')} className={styles.chart}>
      <div
        ref={box}
        role="slider"
        tabIndex={0}
        aria-label={t('chart.moment')}
        aria-valuemin={1}
        aria-valuemax={data.times.length}
        aria-valuenow={(at ?? data.times.length - 1) + 1}
        aria-valuetext={momentText(at ?? data.times.length - 1)}
        onPointerMove={onPoint}
        onPointerDown={onPoint}
        onPointerLeave={() => setPointed(null)}
        onBlur={() => setPointed(null)}
        onKeyDown={onKey}
        className={styles.scrub}
      >
        <div className={wide ? styles.wide : styles.phone}>
          {width > 0 && (
            <svg
              viewBox={`0 0 ${width} ${height}`}
              width={width}
              height={height}
              aria-hidden="true"
              focusable="false"
              className={styles.picture}
            >
              <Drawing data={data} calendar={calendar} area={area} scales={scales} wide={wide} at={at} />
              <Group className={styles.axis}>
                <Months data={data} scale={day} left={area.left} />
                <Times data={data} scale={time} top={area.top + area.height} most={wide ? 6 : 4} />
              </Group>
            </svg>
          )}
        </div>
      </div>
      {at !== null && width > 0 && (
        <ChartTip data={data} at={at} left={left} side={left > area.left + area.width / 2 ? 'before' : 'after'} />
      )}
    </div>
  );
}

interface DrawingProps extends Props {
  area: Area;
  scales: Scales;
  wide: boolean;
  at: number | null;
}

/**
 * Returns the label of the window. If the label is wider than the window, it contains only the
 * dates.
 */
function windowTexts({ start, end }: NonNullable<SeenCalendar['window']>, t: TFunction, room: number): string {
  const whole = t('chart.window', { start, end });
  return labelWidth(whole) + 2 * WORDS_INSET > room ? t('unit.range', { start, end }) : whole;
}

/**
 * Draws the layers from back to front: window, grid, appointment, lines with their names, marks,
 * labels.
 */
function Drawing({ data, calendar, area, scales, wide, at }: DrawingProps) {
  const { t } = useTranslation();
  const cityName = useCityName();
  const { window, booked } = calendar;
  const bookedSays = booked ? t('chart.booked', { date: booked.date, city: cityName(booked.facility) }) : '';
  const windowSays = window ? windowTexts(window, t, area.width) : '';
  const widths = { booked: labelWidth(bookedSays), window: labelWidth(windowSays) };
  const texts = placeLabels({ calendar, data, scales, area, widths, named: wide });
  const right = area.left + area.width;
  const left = at === null ? 0 : scales.x(data.times[at] ?? data.until);
  return (
    <>
      {window && <WindowBand window={window} area={area} y={scales.y} />}
      <g className={styles.grid}>
        {data.ticks.map((tick) => (
          <line key={tick} x1={area.left} x2={right} y1={scales.y(tick)} y2={scales.y(tick)} />
        ))}
      </g>
      {booked && <BookedLine booked={booked} area={area} y={scales.y} />}
      {at !== null && <line x1={left} x2={left} y1={area.top} y2={area.top + area.height} className={styles.cursor} />}
      {data.series.map(({ facility, values }, index) => (
        <LinePath<Corner>
          key={facility}
          data={stepCorners(data.times, values, scales)}
          x={(corner) => corner.x}
          y={(corner) => corner.y ?? 0}
          defined={(corner) => corner.y !== null}
          stroke={inkOf(index)}
          strokeDasharray={dashOf(index)}
          className={styles.line}
        />
      ))}
      {lineEnds(data, scales.y).map((end) => (
        <EndLabel key={end.facility} end={end} right={right} named={wide} />
      ))}
      {placeMarks(data, scales, area).map((placed) => (
        <SlotMark key={`${placed.mark.at}-${placed.mark.facility}-${placed.mark.date}`} placed={placed} named={wide} />
      ))}
      {texts.booked && (
        <LabelAt at={texts.booked} kind="bookedWords">
          {bookedSays}
        </LabelAt>
      )}
      {texts.window && (
        <LabelAt at={texts.window} kind="windowWords">
          {windowSays}
        </LabelAt>
      )}
      {data.series.map(({ facility, values }, index) => {
        const value = at === null ? null : (values[at] ?? null);
        return value === null ? null : (
          <circle key={facility} cx={left} cy={scales.y(value)} r={5} fill={inkOf(index)} className={styles.point} />
        );
      })}
    </>
  );
}

/** Distance between a month and its year below it, in px. */
const YEAR_LINE = 13;

/**
 * Renders a month's label as plain text, with its year below. It is plain, because the text
 * component of visx measures and wraps it.
 */
function MonthTick({ x, y, formattedValue }: TickRendererProps) {
  const [month, year] = (formattedValue ?? '').split('\n');
  return (
    <text x={x - 2} y={y + 4} textAnchor="end">
      {month}
      {year && (
        <tspan x={x - 2} dy={YEAR_LINE}>
          {year}
        </tspan>
      )}
    </text>
  );
}

function TimeTick({ x, y, formattedValue }: TickRendererProps) {
  return (
    <text x={x} y={y + 4} textAnchor="middle">
      {formattedValue}
    </text>
  );
}

function Months({ data, scale, left }: { data: ChartData; scale: ReturnType<typeof scaleLinear<number>>; left: number }) {
  const language = useLanguage();
  const texts = monthLabels(data.ticks, data.until, language);
  return (
    <AxisLeft
      left={left}
      scale={scale}
      tickValues={data.ticks}
      tickFormat={(_, index) => texts[index]}
      tickComponent={MonthTick}
      hideAxisLine
      hideTicks
    />
  );
}

/** Longest label below the chart, with spaces as a gap. */
const WIDEST_TIME = '12-31 11:59 PM  ';
const YEAR_AND_HYPHEN = '2026-';

interface TimesProps {
  data: ChartData;
  scale: ReturnType<typeof scaleTime<number>>;
  top: number;
  most: number;
}

function Times({ data, scale, top, most }: TimesProps) {
  const language = useLanguage();
  const [left = 0, right = 0] = scale.range();
  const room = Math.max(
    1,
    Math.floor((right - left) / labelWidth(crossesYears(data.from, data.until) ? YEAR_AND_HYPHEN + WIDEST_TIME : WIDEST_TIME)),
  );
  const ticks = timeTicks(data.from, data.until, Math.min(most, room));
  const texts = tickLabel(ticks, data.from, data.until, language);
  return (
    <AxisBottom
      top={top}
      scale={scale}
      tickValues={ticks}
      tickFormat={(_, index) => texts[index]}
      tickComponent={TimeTick}
      hideAxisLine
      hideTicks
    />
  );
}
