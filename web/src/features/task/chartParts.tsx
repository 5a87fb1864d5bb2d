import { useTranslation } from 'react-i18next';
import type { SeenCalendar } from '../../shared/api/types.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { dayNumber } from './chartData.ts';
import type { Area, LineEnd, PlacedLabel, PlacedMark, Scales } from './chartLayout.ts';
import styles from './EarliestChart.module.css';
import { inkOf } from './seriesStyles.ts';

/** Labels for the outcome of a slot. Unknown outcomes have the label "not booked". */
const outcomeTexts: Record<string, TextKey> = {
  booked: 'chart.mark_booked',
  lost: 'chart.mark_lost',
  excluded: 'chart.mark_excluded',
  phantom: 'chart.mark_phantom',
  taken_for_another: 'chart.mark_taken_for_another',
  notified: 'chart.mark_notified',
  booking_unconfirmed: 'chart.mark_unconfirmed',
  no_fingerprints: 'chart.mark_no_fingerprints',
};

type Window = NonNullable<SeenCalendar['window']>;

/** Renders the window of the task as a band behind all other elements. */
export function WindowBand({ window, area, y }: { window: Window; area: Area; y: Scales['y'] }) {
  const top = y(dayNumber(window.end));
  const height = Math.max(2, y(dayNumber(window.start)) - top);
  return <rect x={area.left} y={top} width={area.width} height={height} rx={6} className={styles.band} />;
}

/** Renders a label at a position that `placeLabels` computed. */
export function LabelAt({ at, kind, children }: { at: PlacedLabel; kind: 'windowWords' | 'bookedWords'; children: string }) {
  return (
    <text x={at.x} y={at.y} textAnchor={at.anchor} className={styles[kind]}>
      {children}
    </text>
  );
}

interface BookedProps {
  booked: NonNullable<SeenCalendar['booked']>;
  area: Area;
  y: Scales['y'];
}

/** Renders the present appointment as a dotted line across the chart. */
export function BookedLine({ booked, area, y }: BookedProps) {
  return <path d={`M${area.left} ${y(dayNumber(booked.date))}h${area.width}`} className={styles.bookedLine} />;
}

/** Offset of a mark's label from its mark, by alignment. */
const shift = { start: -8, middle: 0, end: 8 } as const;

/**
 * Renders the mark of a slot at its date: a cross if it was missed, a tick if it was booked. A thin
 * line connects it to its city's line.
 */
export function SlotMark({ placed, named }: { placed: PlacedMark; named: boolean }) {
  const { t } = useTranslation();
  const { mark, left, top, city, thread, anchor } = placed;
  const label = t(outcomeTexts[mark.outcome] ?? 'chart.mark_unknown') as string;
  const booked = mark.outcome === 'booked';
  const ink = inkOf(city);
  return (
    <g>
      <title>{`${mark.date} ${label}`}</title>
      {thread && <path d={`M${left} ${thread.from}V${thread.to}`} stroke={ink} className={styles.thread} />}
      <circle cx={left} cy={top} r={booked ? 6 : 5} fill={booked ? ink : undefined} stroke={ink} className={styles.mark} />
      <path
        d={booked ? `M${left - 2.6} ${top}l1.8 1.9 3.4-3.6` : `M${left - 2} ${top - 2}l4 4m0-4l-4 4`}
        stroke={booked ? undefined : ink}
        className={styles.sign}
      />
      {named && placed.named && (
        <text x={left + shift[anchor]} y={top + 20} textAnchor={anchor} className={styles.markWords}>
          {label}
        </text>
      )}
    </g>
  );
}

/** Renders the end of a line: a dot, and the city's name with its present date. */
export function EndLabel({ end, right, named }: { end: LineEnd; right: number; named: boolean }) {
  const cityName = useCityName();
  return (
    <g fill={inkOf(end.city)}>
      <circle cx={right} cy={end.top} r={3.5} />
      {named && (
        <text x={right + 10} y={end.nameTop + 4} className={styles.endWords}>
          {`${cityName(end.facility)} ${end.date ?? ''}`}
        </text>
      )}
    </g>
  );
}
