import type { EarliestPoint, JournalEntry, SeenCalendar, SeenDay, SeenEntry, SlotMark, Task } from '../src/shared/api/types.ts';
import { addDays, daysBetween } from '../src/shared/format/dates.ts';
import { fromWire } from '../src/shared/format/excludedDates.ts';
import { type DataOf, fail, file, type Handlers, ok } from './api.ts';
import { ago, day as anyDay } from './story.ts';

/**
 * Returns a date. A weekend date moves to the adjacent weekday, because the portal offers only
 * weekdays.
 */
const day = (offset: number) => {
  const date = anyDay(offset);
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  return weekday === 6 ? addDays(date, -1) : weekday === 0 ? addDays(date, 1) : date;
};

const HOUR = 60;
const DAY = 24 * HOUR;

/** Seen dates of the example task by city, as [days from today, number of sightings]. */
const seenBy: Record<string, [number, number][]> = {
  Ottawa: [
    [9, 5],
    [14, 8],
    [16, 2],
    [23, 13],
    [24, 3],
    [28, 6],
    [35, 2],
    [43, 4],
    [51, 6],
    [57, 2],
    [73, 3],
    [85, 2],
    [92, 7],
    [105, 3],
    [120, 5],
    [121, 1],
    [135, 1],
    [140, 3],
    [147, 14],
    [154, 6],
    [155, 34],
  ],
  Toronto: [
    [14, 3],
    [49, 2],
    [93, 4],
    [142, 2],
    [143, 1],
    [149, 36],
    [150, 19],
    [156, 41],
    [163, 33],
    [168, 12],
  ],
  Montreal: [
    [17, 1],
    [58, 2],
    [80, 1],
    [105, 1],
    [114, 4],
    [126, 2],
    [139, 3],
    [146, 8],
    [154, 7],
    [175, 22],
  ],
};

/** Removes entries that have moved to the same weekday. */
const distinct = (days: [number, number][]) =>
  days.filter(([offset], at) => days.findIndex(([other]) => day(other) === day(offset)) === at);

const endsOn: Record<string, number[]> = {
  Ottawa: [230, 224, 236, 217, 205, 211, 203],
  Toronto: [200, 187, 176, 181, 160, 156, 149],
  Montreal: [215, 198, 205, 190, 182, 188, 175],
};

function judged(task: Task, date: string): Pick<SeenDay, 'wanted' | 'why' | 'margin_days'> {
  const params = task.schedule_config.search_params;
  const no = (why: SeenEntry['why'], margin_days: number | null) => ({ wanted: false, why, margin_days });
  if (date > params.end_date) return no('after_window', daysBetween(params.end_date, date));
  if (date < params.start_date) return no('before_window', daysBetween(date, params.start_date));
  if (fromWire(params.excluded_dates ?? []).some((range) => range.start <= date && date <= range.end))
    return no('excluded', null);
  return { wanted: true, why: null, margin_days: null };
}

function points(offsets: number[], days: number): EarliestPoint[] {
  const step = (Math.min(days, 22) * DAY) / offsets.length;
  return offsets.map((offset, index) => ({ at: ago(Math.round((offsets.length - index) * step)), earliest: day(offset) }));
}

const marks: SlotMark[] = [
  { at: ago(12 * DAY + 2 * HOUR), facility: 'Ottawa', date: day(51), outcome: 'phantom' },
  { at: ago(3 * DAY + 21 * HOUR), facility: 'Toronto', date: day(73), outcome: 'excluded' },
  { at: ago(DAY + 24), facility: 'Montreal', date: day(105), outcome: 'lost' },
];

function calendar(task: Task, days: number): SeenCalendar {
  const params = task.schedule_config.search_params;
  const present = task.appointments[0];
  const cities = params.required_cities.map((facility) => ({
    facility,
    now_earliest: endsOn[facility] ? day(endsOn[facility].at(-1) ?? 0) : null,
    days: distinct(seenBy[facility] ?? []).map(([offset, times]) => ({
      date: day(offset),
      times,
      first_seen_at: ago(4 * DAY + offset * 7),
      last_seen_at: ago(offset === 149 ? 3 : 120 + offset * 30),
      ...judged(task, day(offset)),
    })),
  }));
  return {
    cities,
    series: params.required_cities
      .filter((facility) => endsOn[facility])
      .map((facility) => ({ facility, points: points(endsOn[facility] ?? [], days) })),
    marks: marks.filter((mark) => Date.now() - Date.parse(mark.at) < days * DAY * 60_000),
    window: { start: params.start_date, end: params.end_date },
    booked: present?.appointment_date && present.facility ? { date: present.appointment_date, facility: present.facility } : null,
    widen:
      params.end_date === anyDay(127) ? { end_date: anyDay(157), more_dates: 16, earliest: day(135), days_sooner: 131 } : null,
  };
}

type Row = [
  offset: number,
  facility: string,
  time: string | null,
  minutesAgo: number,
  why: SeenEntry['why'],
  data?: Partial<SeenEntry['data']>,
];
const rows: Row[] = [
  [149, 'Toronto', '09:15', 3, 'after_window', { margin_days: 22 }],
  [105, 'Montreal', '07:45', DAY - HOUR, 'lost', { seconds_to_post: 1.4, reached: 'posted', attempt_spent: false }],
  [73, 'Ottawa', '08:45', 3 * DAY + 21 * HOUR, 'excluded'],
  [14, 'Toronto', '10:00', 5 * DAY + 90, 'before_window', { margin_days: 7 }],
  [92, 'Ottawa', null, 7 * DAY + 20, 'phantom'],
  [51, 'Ottawa', '08:00', 12 * DAY + 2 * HOUR, 'taken_for_another', { attempt_spent: false }],
  [262, 'Toronto', '11:00', 13 * DAY, 'not_earlier_enough', { margin_days: 3 }],
  [57, 'Ottawa', '09:30', 13 * DAY + 40, 'taken_for_another', { attempt_spent: false }],
  [28, 'Ottawa', '08:15', 14 * DAY, 'no_budget'],
  [80, 'Montreal', null, 15 * DAY, 'reschedules_used'],
];
const more: Row[] = Array.from({ length: 32 }, (_, n) => [
  151 + n * 3,
  ['Toronto', 'Ottawa', 'Montreal'][n % 3] ?? 'Toronto',
  null,
  16 * DAY + n * 3 * HOUR,
  'after_window',
  { margin_days: 24 + n * 3 },
]);
const seenList: SeenEntry[] = [...rows, ...more].map(([offset, facility, time, minutes, why, data]) => ({
  date: day(offset),
  facility,
  time,
  seen_at: ago(minutes),
  gone_at: minutes > HOUR ? ago(minutes - 2) : null,
  alive_seconds: minutes > HOUR ? 120 : null,
  why,
  data: { margin_days: null, seconds_to_post: null, reached: null, attempt_spent: null, booked_date: null, ...data },
}));

const cities = ['Ottawa', 'Toronto', 'Montreal'];
const pollEntry = (offset: number, looks: number, failures = 0) => ({
  cities,
  earliest: day(offset),
  facility: 'Toronto',
  looks,
  slots: 4,
  failures,
});
type Line = [at: number, kind: string, data: Record<string, unknown>, until?: number, count?: number];
const lines: Line[] = [
  [3, 'looks', pollEntry(149, 1)],
  [150, 'looks', pollEntry(156, 9), 20, 9],
  [161, 'signed_in', {}],
  [17 * HOUR, 'looks', pollEntry(156, 15, 1), 4 * HOUR, 15],
  [DAY - 10, 'alerted', { facility: 'Montreal', date: day(105), seen_at: ago(DAY) }],
  [DAY - 2, 'not_booked', { facility: 'Montreal', date: day(105) }],
  [DAY - 1, 'attempted', { wrote: 'All', status: 302, location: null, flash: null, error: null }],
  [DAY, 'slot_gone', { facility: 'Montreal', date: day(105), why: 'taken_for_another' }],
  [DAY + 3 * HOUR, 'signed_in', {}],
  [2 * DAY, 'trouble', { code: 'overloaded' }],
  [2 * DAY + 30, 'standby', { step: 'form', because: { why: 'no_form' } }],
  [3 * DAY, 'edited', {}],
  [
    4 * DAY,
    'changed_outside',
    {
      from: { date: day(280), time: '08:15', facility: 'Toronto', facility_zh: '多伦多' },
      to: { date: day(266), time: '08:15', facility: 'Toronto', facility_zh: '多伦多' },
    },
  ],
  ...Array.from(
    { length: 60 },
    (_, n): Line => [5 * DAY + n * 6 * HOUR, 'looks', pollEntry(160 + n, 6), 5 * DAY + n * 6 * HOUR - 5 * HOUR, 6],
  ),
  [21 * DAY, 'watching', {}],
  [22 * DAY, 'submitted', { held: 76 }],
];
const wonLines: Line[] = [
  [5 * DAY, 'status', { status: 'stopped', reason: 'auto_stop' }],
  [
    5 * DAY + 1,
    'booked',
    {
      from: { date: day(77), time: '09:00', facility: 'Vancouver' },
      to: { date: day(17), time: '07:30', facility: 'Vancouver' },
      days: 60,
      charged: 0,
    },
  ],
  [
    16 * DAY,
    'booked',
    {
      from: { date: day(176), time: '10:00', facility: 'Vancouver' },
      to: { date: day(77), time: '09:00', facility: 'Vancouver' },
      days: 99,
      charged: 38,
    },
  ],
  [28 * DAY, 'submitted', { held: 38 }],
];
const journalOf = (task: Task): JournalEntry[] =>
  (task.success_history.length > 0 ? wonLines : lines).map(
    ([at, kind, data, until, count], index) =>
      ({
        id: String(index),
        at: ago(at),
        until: until === undefined ? null : ago(until),
        kind,
        data,
        count: count ?? 1,
      }) as JournalEntry,
  );

function page<T>(all: T[], query: URLSearchParams): { entries: T[]; next: string | null } {
  const from = Number(query.get('before') ?? 0);
  const to = from + Number(query.get('limit') ?? 50);
  return { entries: all.slice(from, to), next: to < all.length ? String(to) : null };
}

function calendarFile(task: Task) {
  const present = task.appointments[0];
  if (!present?.appointment_date) return fail(404, 'NOT_FOUND', 'not found');
  const at = addDays(present.appointment_date, 0).replaceAll('-', '');
  const text = `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:${at}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
  return file(new Uint8Array(new TextEncoder().encode(text)), { 'Content-Type': 'text/calendar' });
}

const missing = () => fail(404, 'NOT_FOUND', 'not found');
/** Returns whether a task has not seen anything yet. The cards of its page are then empty. */
const isFresh = (task: Task) => task.seen_dates.length === 0 && task.success_history.length === 0;

/** Handlers of the details of a task. */
export const details: Handlers = {
  'GET /schedules/{id}/calendar': ({ world, id, query }) => {
    const task = world.tasks.get(id);
    if (!task) return missing();
    const full = calendar(task, Number(query.get('days') ?? 30));
    const cities = full.cities.map((city) => ({ ...city, now_earliest: null, days: [] }));
    return ok(isFresh(task) ? { ...full, cities, series: [], marks: [], widen: null } : full);
  },
  'GET /schedules/{id}/seen': ({ world, id, query }) => {
    const task = world.tasks.get(id);
    if (!task) return missing();
    const all = isFresh(task) ? [] : seenList;
    return ok({ ...page(all, query), total: all.length });
  },
  'GET /schedules/{id}/journal': ({ world, id, query }) => {
    const task = world.tasks.get(id);
    if (!task) return missing();
    // The content of an entry depends on its kind, which the OpenAPI document cannot express.
    return ok(page(isFresh(task) ? [] : journalOf(task), query) as DataOf<'GET /schedules/{id}/journal'>);
  },
  'GET /schedules/{id}/appointment.ics': ({ world, id }) => {
    const task = world.tasks.get(id);
    return task ? calendarFile(task) : missing();
  },
};
