import type { SeenCalendar } from '../../shared/api/types.ts';
import { type ChartData, dayNumber } from './chartData.ts';
import { spreadLabels } from './spreadLabels.ts';

/** Rectangle of the lines, in px of the chart. */
export interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Scales that convert moments (ms) and days to px of the chart. */
export interface Scales {
  x: (moment: number) => number;
  y: (day: number) => number;
}

/** Point of a city's line. Without `y` the line is interrupted. */
export interface Corner {
  x: number;
  y: number | null;
}

const MONTHS_WIDTH = 44;
const TIMES_HEIGHT = 32;
const TOP = 18;
/** Distance of labels from the ends of the lines. */
export const WORDS_INSET = 12;
/**
 * Space at the right of the lines: for the names of cities, or on a phone for half a time label.
 */
const NAMES_WIDTH = 152;
const PHONE_RIGHT = 22;

/** Height of one line of text. */
const LABEL_HEIGHT = 17;
/** Maximum width of a mark's label. */
const MARK_WIDTH = 96;
/** Approximate width of a Chinese character and of other characters. */
const WIDE_LETTER = 12;
const LETTER = 6.8;
/** Distance from an edge of the chart within which a mark's label is aligned with that edge. */
const EDGE = 44;
/** Minimum length of the connecting line between a city's line and a mark. */
const SHORTEST_THREAD = 12;

/** Returns the rectangle of the lines for a chart of this size. */
export function chartArea(width: number, height: number, wide: boolean): Area {
  const right = wide ? NAMES_WIDTH : PHONE_RIGHT;
  return {
    left: MONTHS_WIDTH,
    top: TOP,
    width: Math.max(1, width - MONTHS_WIDTH - right),
    height: Math.max(1, height - TOP - TIMES_HEIGHT),
  };
}

/**
 * Returns the points of a city's line as steps. A date holds until the next change, and a moment
 * without a date interrupts the line.
 */
export function stepCorners(times: number[], values: (number | null)[], { x, y }: Scales): Corner[] {
  return times.flatMap((at, index): Corner[] => {
    const value = values[index] ?? null;
    if (value === null) return [{ x: x(at), y: null }];
    const next = times[index + 1];
    const corner = { x: x(at), y: y(value) };
    return next === undefined ? [corner] : [corner, { x: x(next), y: corner.y }];
  });
}

/** Returns the index of the moment that is nearest to a horizontal position. */
export function nearestTime(times: number[], left: number, x: Scales['x']): number {
  const distances = times.map((at) => Math.abs(x(at) - left));
  return distances.indexOf(Math.min(...distances));
}

/**
 * Returns the index of the moment that a key selects, or null for other keys. If none is selected,
 * an arrow key starts at an end.
 */
export function timeFromKey(key: string, at: number | null, count: number): number | null {
  const last = count - 1;
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  if (key === 'ArrowLeft' || key === 'ArrowDown') return at === null ? last : Math.max(0, at - 1);
  if (key === 'ArrowRight' || key === 'ArrowUp') return at === null ? 0 : Math.min(last, at + 1);
  return null;
}

/** Mark of a slot that was not booked, with its position. */
export interface PlacedMark {
  mark: ChartData['marks'][number];
  left: number;
  top: number;
  /** Index of its city, or -1 if the city has no line. */
  city: number;
  /** Connecting line from the city's line to the mark, or null if it would be too short. */
  thread: { from: number; to: number } | null;
  anchor: 'start' | 'middle' | 'end';
  /** True if the label of the mark is shown. */
  named: boolean;
}

/** Places marks in order of time. Labels that would overlap another label are omitted. */
export function placeMarks(data: ChartData, { x, y }: Scales, area: Area): PlacedMark[] {
  const cities = data.series.map((series) => series.facility);
  const taken: { left: number; top: number }[] = [];
  return data.marks.map((mark) => {
    const [left, top] = [x(mark.x), y(mark.y)];
    const line = mark.from === null ? null : y(mark.from);
    const named = taken.every((one) => Math.abs(one.left - left) > MARK_WIDTH || Math.abs(one.top - top) > LABEL_HEIGHT);
    if (named) taken.push({ left, top });
    return {
      mark,
      left,
      top,
      city: cities.indexOf(mark.facility),
      thread: line !== null && Math.abs(line - top) > SHORTEST_THREAD ? { from: line, to: line < top ? top - 6 : top + 6 } : null,
      anchor: left > area.left + area.width - EDGE ? 'end' : left < area.left + EDGE ? 'start' : 'middle',
      named,
    };
  });
}

/** Returns the approximate width of a text, in px. */
export function labelWidth(text: string): number {
  return [...text].reduce((width, letter) => width + (letter > '\u2E7F' ? WIDE_LETTER : LETTER), 0);
}

/** Position of a label: the start or the end of its text, and its baseline. */
export interface PlacedLabel {
  x: number;
  y: number;
  anchor: 'start' | 'end';
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const boxOf = ({ x, y, anchor }: PlacedLabel, width: number): Box => ({
  left: anchor === 'start' ? x : x - width,
  right: anchor === 'start' ? x + width : x,
  top: y - LABEL_HEIGHT + 3,
  bottom: y + 3,
});

const meet = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

function stepBoxes(data: ChartData, scales: Scales): Box[] {
  return data.series.flatMap(({ values }) => {
    const corners = stepCorners(data.times, values, scales);
    return corners.flatMap((corner, index) => {
      const next = corners[index + 1];
      if (corner.y === null || !next || next.y === null) return [];
      return [{ left: corner.x, right: next.x, top: Math.min(corner.y, next.y) - 2, bottom: Math.max(corner.y, next.y) + 2 }];
    });
  });
}

/** Returns the areas that marks and their labels cover. */
function markBoxes(marks: PlacedMark[], named: boolean): Box[] {
  return marks.flatMap(({ left, top, anchor, named: hasRoom }) => {
    const sign = { left: left - 8, right: left + 8, top: top - 8, bottom: top + 8 };
    if (!named || !hasRoom) return [sign];
    const [before, after] = { start: [8, MARK_WIDTH], middle: [MARK_WIDTH / 2, MARK_WIDTH / 2], end: [MARK_WIDTH, 8] }[
      anchor
    ] as [number, number];
    return [sign, { left: left - before, right: left + after, top: top + 8, bottom: top + 24 }];
  });
}

/** Returns the first of the positions that overlap the fewest areas. */
function freest(places: PlacedLabel[], width: number, taken: Box[]): PlacedLabel | undefined {
  const covered = places.map((place) => taken.filter((box) => meet(boxOf(place, width), box)).length);
  return places[covered.indexOf(Math.min(...covered))];
}

interface LabelToPlace {
  calendar: Pick<SeenCalendar, 'booked' | 'window'>;
  data: ChartData;
  scales: Scales;
  area: Area;
  /** Widths of the labels of the appointment and the window. */
  widths: { booked: number; window: number };
  /** True if marks have labels. */
  named: boolean;
}

/**
 * Places the labels of the appointment and the window at the left or right, above or below, where
 * they overlap least.
 */
export function placeLabels({ calendar, data, scales, area, widths, named }: LabelToPlace): {
  booked: PlacedLabel | undefined;
  window: PlacedLabel | undefined;
} {
  const taken = [...stepBoxes(data, scales), ...markBoxes(placeMarks(data, scales, area), named)];
  const [left, right] = [area.left + WORDS_INSET, area.left + area.width - WORDS_INSET];
  const at = (...baselines: number[]): PlacedLabel[] =>
    [
      ...baselines.map((y) => ({ x: left, y, anchor: 'start' as const })),
      ...baselines.map((y) => ({ x: right, y, anchor: 'end' as const })),
    ].filter(({ y }) => y > area.top - LABEL_HEIGHT && y < area.top + area.height);
  const line = calendar.booked && scales.y(dayNumber(calendar.booked.date));
  const booked = line === null ? undefined : freest(at(line - 8, line + LABEL_HEIGHT), widths.booked, taken);
  if (line !== null) taken.push({ left: area.left, right: area.left + area.width, top: line - 2, bottom: line + 2 });
  if (booked) taken.push(boxOf(booked, widths.booked));
  if (!calendar.window) return { booked, window: undefined };
  const head = scales.y(dayNumber(calendar.window.end)) + LABEL_HEIGHT + 1;
  const foot = scales.y(dayNumber(calendar.window.start)) - 10;
  return { booked, window: freest(at(foot, head), widths.window, taken) };
}

/** End of a city's line, with the position of its name. */
export interface LineEnd {
  facility: string;
  /** Index of the city. */
  city: number;
  top: number;
  nameTop: number;
  date: string | null;
}

/** Returns the ends of all lines that reach the present. Their names do not overlap. */
export function lineEnds(data: ChartData, y: Scales['y']): LineEnd[] {
  const ends = data.series.flatMap(({ facility, values, last }, city) => {
    const value = values.at(-1);
    return value === null || value === undefined ? [] : [{ facility, city, top: y(value), date: last }];
  });
  const names = spreadLabels(
    ends.map((end) => end.top),
    LABEL_HEIGHT,
  );
  return ends.map((end, index) => ({ ...end, nameTop: names[index] ?? end.top }));
}
