import {
  ArrowLeftRight,
  CalendarCheck,
  CalendarX,
  CircleMinus,
  CircleX,
  Clock,
  Eye,
  Lock,
  type LucideIcon,
  Mail,
  Pause,
  TriangleAlert,
  Users,
} from 'lucide-react';
import type { SearchParams, SeenDay, SeenEntry } from '../../shared/api/types.ts';
import { addDays } from '../../shared/format/dates.ts';
import { fromWire, shortRange } from '../../shared/format/excludedDates.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';

/**
 * Reason why a date was not booked: a key of the locale files with its values, and its severity.
 */
export interface Reason {
  icon: LucideIcon;
  tone: 'rule' | 'lost' | 'won';
  textKey: TextKey;
  values: Record<string, string | number>;
  /** Text about a used reschedule, or null if none can have been used. */
  spent: TextKey | null;
}

/** Values of a task that the texts of reasons contain. */
export interface ReasonFacts {
  params: SearchParams;
  cityName: (facility: string) => string;
  range: (start: string, end: string | null) => string;
}

/**
 * Seen slot, as far as reasons need it. `why` is a plain text, because the server may know newer
 * rules.
 */
interface Seen extends Pick<SeenEntry, 'date' | 'facility'> {
  why: string;
  data: Partial<SeenEntry['data']>;
}

const icons: Record<string, LucideIcon> = {
  excluded: CircleMinus,
  lost: CircleX,
  taken_for_another: Users,
  phantom: Clock,
  weekday: CircleMinus,
  time_of_day: Clock,
  too_soon: Clock,
  no_budget: Pause,
  restricted: Clock,
  notified: Mail,
  no_answer: Mail,
  last_attempt_kept: Lock,
  reschedules_used: Lock,
  past_deadline: Lock,
  changed_outside: ArrowLeftRight,
  booking_unconfirmed: TriangleAlert,
  no_fingerprints: CircleX,
  fingerprints_not_wanted: CircleMinus,
  fingerprints_at_consulate: CircleMinus,
  open: Eye,
  other_booked: CalendarCheck,
  booked: CalendarCheck,
};

const plain: Record<string, TextKey> = {
  city_not_wanted: 'why.city_not_wanted',
  weekday: 'why.weekday',
  time_of_day: 'why.time_of_day',
  phantom: 'why.phantom',
  no_budget: 'why.no_budget',
  restricted: 'why.restricted',
  notified: 'why.notified',
  no_answer: 'why.no_answer',
  last_attempt_kept: 'why.last_attempt_kept',
  reschedules_used: 'why.reschedules_used',
  past_deadline: 'why.past_deadline',
  changed_outside: 'why.changed_outside',
  booking_unconfirmed: 'why.booking_unconfirmed',
  no_fingerprints: 'why.no_fingerprints',
  fingerprints_not_wanted: 'why.fingerprints_not_wanted',
  fingerprints_at_consulate: 'why.fingerprints_at_consulate',
  open: 'why.open',
  booked: 'why.booked',
  taken_for_another: 'why.taken_for_another',
};

function margin(seen: Seen): number | null {
  const days = seen.data.margin_days;
  return typeof days === 'number' ? Math.abs(days) : null;
}

function ruleTexts(why: string, seen: Seen, facts: ReasonFacts): Pick<Reason, 'textKey' | 'values'> | null {
  const count = margin(seen);
  const { params } = facts;
  // Shows the limit at that time, because the criteria may have changed since.
  if (why === 'after_window')
    return count === null
      ? { textKey: 'why.after_window_plain', values: {} }
      : { textKey: 'why.after_window', values: { date: addDays(seen.date, -count), count } };
  if (why === 'before_window')
    return count === null
      ? { textKey: 'why.before_window_plain', values: {} }
      : { textKey: 'why.before_window', values: { date: addDays(seen.date, count), count } };
  if (why === 'excluded') {
    const range = fromWire(params.excluded_dates ?? []).find(({ start, end }) => start <= seen.date && seen.date <= end);
    if (!range) return { textKey: 'why.excluded_then', values: {} };
    const { start, end } = shortRange(range);
    return { textKey: end === null ? 'why.excluded_day' : 'why.excluded', values: { range: facts.range(start, end) } };
  }
  if (why === 'too_soon')
    return { textKey: count === null ? 'why.too_soon_plain' : 'why.too_soon', values: { count: count ?? 0 } };
  if (why === 'not_earlier_enough')
    return { textKey: count === null ? 'why.not_earlier_plain' : 'why.not_earlier', values: { count: count ?? 0 } };
  if (why === 'not_earlier') {
    if (count === null) return { textKey: 'why.later_plain', values: {} };
    return count === 0
      ? { textKey: 'why.same_day', values: {} }
      : { textKey: 'why.later', values: { date: addDays(seen.date, -count), count } };
  }
  if (why === 'other_booked') {
    const date = seen.data.booked_date;
    return date ? { textKey: 'why.other_booked', values: { date } } : { textKey: 'why.other_booked_plain', values: {} };
  }
  if (why === 'lost') {
    const seconds = seen.data.seconds_to_post;
    if (typeof seconds !== 'number') return { textKey: 'why.lost_before', values: {} };
    return { textKey: 'why.lost', values: { seconds: seconds < 10 ? seconds.toFixed(1) : Math.round(seconds) } };
  }
  return null;
}

/** Returns the reason why a seen slot was not booked. An unknown rule has a general text. */
export function whyNot(seen: Seen, facts: ReasonFacts): Reason {
  const { why } = seen;
  const rule = ruleTexts(why, seen, facts);
  const known = plain[why];
  const text =
    rule ??
    (known ? { textKey: known, values: { city: facts.cityName(seen.facility) } } : { textKey: 'why.other' as const, values: {} });
  const contested = why === 'lost' || why === 'taken_for_another';
  const spent = seen.data.attempt_spent === true ? 'why.spent' : contested ? 'why.notSpent' : null;
  return {
    icon: icons[why] ?? CalendarX,
    tone: why === 'lost' ? 'lost' : why === 'booked' ? 'won' : 'rule',
    ...text,
    spent,
  };
}

/**
 * Returns the reason for a cell of the heat map, for which the server sends less data. Returns null
 * if the date matches.
 */
export function whyNotDay(facility: string, day: SeenDay, facts: ReasonFacts): Reason | null {
  if (day.wanted || !day.why) return null;
  return whyNot({ date: day.date, facility, why: day.why, data: { margin_days: day.margin_days } }, facts);
}
