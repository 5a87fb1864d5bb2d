import { useDrawingArea, useXScale, useYScale } from '@mui/x-charts/hooks';
import { useTranslation } from 'react-i18next';
import type { SeenCalendar } from '../../shared/api/types.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { type ChartData, dayNumber } from './chartData.ts';
import { inkOf } from './seriesLooks.ts';
import { spread } from './spread.ts';

/** Words of a mark's outcome; an outcome this page does not know is just "not booked". */
export const outcomeWords: Record<string, Words> = {
  booked: 'chart.mark_booked',
  lost: 'chart.mark_lost',
  excluded: 'chart.mark_excluded',
  phantom: 'chart.mark_phantom',
  taken_for_another: 'chart.mark_taken_for_another',
  notified: 'chart.mark_notified',
  booking_unconfirmed: 'chart.mark_unconfirmed',
};

const LABEL_HEIGHT = 17;
const words = { fontFamily: 'inherit', fontSize: 12 } as const;

type Window = NonNullable<SeenCalendar['window']>;

/** The person's window, behind everything. */
export function WindowBand({ window }: { window: Window }) {
  const area = useDrawingArea();
  const y = useYScale();
  const top = Number(y(dayNumber(window.end)));
  const height = Math.max(2, Number(y(dayNumber(window.start))) - top);
  return <rect x={area.left} y={top} width={area.width} height={height} rx={6} fill="var(--mui-palette-primary-soft)" />;
}

const LABEL_WIDTH = 170;

/** The window's words, at its foot or, where the appointment's words or a mark stand there, at its head; over the marks' lines. */
export function WindowLabel({ window, booked, data }: { window: Window; booked: SeenCalendar['booked']; data: ChartData }) {
  const { t } = useTranslation();
  const area = useDrawingArea();
  const x = useXScale();
  const y = useYScale();
  const head = Number(y(dayNumber(window.end))) + 18;
  const foot = Number(y(dayNumber(window.start))) - 10;
  // The words of the appointment's line stand just above it.
  const line = booked ? Number(y(dayNumber(booked.date))) - 8 : Number.NEGATIVE_INFINITY;
  const isMarked = data.marks.some(
    (mark) => Number(x(new Date(mark.x))) < area.left + LABEL_WIDTH && Math.abs(Number(y(mark.y)) - foot + 4) < LABEL_HEIGHT,
  );
  return (
    <text
      x={area.left + 12}
      y={Math.abs(line - foot) < LABEL_HEIGHT || isMarked ? head : foot}
      {...words}
      fontWeight={500}
      fill="var(--mui-palette-primary-ink)"
      stroke="var(--mui-palette-primary-soft)"
      strokeWidth={4}
      paintOrder="stroke"
    >
      {t('chart.window', { start: window.start.slice(5), end: window.end.slice(5) })}
    </text>
  );
}

/** The present appointment as a dotted line over the whole width. */
export function BookedLine({ booked }: { booked: NonNullable<SeenCalendar['booked']> }) {
  const { t } = useTranslation();
  const cityName = useCityName();
  const area = useDrawingArea();
  const y = Number(useYScale()(dayNumber(booked.date)));
  return (
    <g>
      <path
        d={`M${area.left} ${y}H${area.left + area.width}`}
        stroke="var(--mui-palette-text-primary)"
        strokeWidth={1.5}
        strokeDasharray="1 5"
        strokeLinecap="round"
      />
      <text x={area.left + 12} y={y - 8} {...words} fontWeight={600} fill="var(--mui-palette-text-primary)">
        {t('chart.booked', { date: booked.date, city: cityName(booked.facility) })}
      </text>
    </g>
  );
}

const LABEL_ROOM = 96;

/** Slots that came and went: a cross (or a tick for a booking) where they stood, hung from their city's line. */
export function SlotMarks({ data, labelled }: { data: ChartData; labelled: boolean }) {
  const { t } = useTranslation();
  const area = useDrawingArea();
  const x = useXScale();
  const y = useYScale();
  const cities = data.series.map((series) => series.facility);
  const labels: { left: number; top: number }[] = [];
  return (
    <g>
      {data.marks.map((mark) => {
        const left = Number(x(new Date(mark.x)));
        const top = Number(y(mark.y));
        const line = mark.from === null ? null : Number(y(mark.from));
        const ink = inkOf(cities.indexOf(mark.facility));
        const label = t(outcomeWords[mark.outcome] ?? 'chart.mark_unknown');
        const anchor = left > area.left + area.width - 44 ? 'end' : left < area.left + 44 ? 'start' : 'middle';
        const free = labels.every((one) => Math.abs(one.left - left) > LABEL_ROOM || Math.abs(one.top - top) > LABEL_HEIGHT);
        const shown = labelled && free;
        if (shown) labels.push({ left, top });
        const booked = mark.outcome === 'booked';
        return (
          <g key={`${mark.at}-${mark.facility}-${mark.date}`}>
            <title>{`${mark.date} ${label as string}`}</title>
            {line !== null && Math.abs(line - top) > 12 && (
              <path
                d={`M${left} ${line}V${line < top ? top - 6 : top + 6}`}
                stroke={ink}
                strokeWidth={1.5}
                strokeDasharray="2 3"
              />
            )}
            <circle
              cx={left}
              cy={top}
              r={booked ? 6 : 5}
              fill={booked ? ink : 'var(--mui-palette-background-paper)'}
              stroke={ink}
              strokeWidth={2}
            />
            <path
              d={booked ? `M${left - 2.6} ${top}l1.8 1.9 3.4-3.6` : `M${left - 2} ${top - 2}l4 4m0-4l-4 4`}
              fill="none"
              stroke={booked ? 'var(--mui-palette-background-paper)' : ink}
              strokeWidth={1.5}
              strokeLinecap="round"
            />
            {shown && (
              <text
                x={anchor === 'end' ? left + 8 : anchor === 'start' ? left - 8 : left}
                y={top + 20}
                textAnchor={anchor}
                {...words}
                stroke="var(--mui-palette-background-paper)"
                strokeWidth={3}
                paintOrder="stroke"
                fill="var(--mui-palette-text-secondary)"
              >
                {label as string}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}

/** Each line ends in a dot and its city's name with the date it shows now; names never cover each other. */
export function EndLabels({ data, named }: { data: ChartData; named: boolean }) {
  const cityName = useCityName();
  const area = useDrawingArea();
  const y = useYScale();
  const ends = data.series.flatMap((series, index) => {
    const value = series.values.at(-1);
    return value === null || value === undefined ? [] : [{ series, index, top: Number(y(value)) }];
  });
  const tops = spread(
    ends.map((end) => end.top),
    LABEL_HEIGHT,
  );
  const right = area.left + area.width;
  return (
    <g>
      {ends.map(({ series, index, top }, place) => (
        <g key={series.facility}>
          <circle cx={right} cy={top} r={3.5} fill={inkOf(index)} />
          {named && (
            <text x={right + 10} y={(tops[place] ?? top) + 4} {...words} fontWeight={600} fill={inkOf(index)}>
              {`${cityName(series.facility)} ${series.last?.slice(5) ?? ''}`}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}
