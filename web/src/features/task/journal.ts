import {
  Activity,
  ArrowLeftRight,
  CalendarCheck,
  Check,
  CircleX,
  Clock,
  Eye,
  Info,
  Lock,
  LogIn,
  type LucideIcon,
  Mail,
  Pause,
  Pencil,
  Play,
  Trash2,
  TriangleAlert,
  X,
} from 'lucide-react';
import type { JournalEntry } from '../../shared/api/types.ts';
import type { CivilDate } from '../../shared/format/dates.ts';
import { instantParts } from '../../shared/i18n/format.ts';
import type { Words } from '../../shared/i18n/words.ts';

/** The entries of one day, newest first. */
interface JournalDay {
  day: CivilDate;
  entries: JournalEntry[];
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
const dayOf = (entry: JournalEntry) => instantParts(entry.at).date;
const endOf = (entry: JournalEntry) => entry.until ?? entry.at;

/** RFC 3339 in UTC sorts as text. */
const first = (...instants: string[]) => instants.sort()[0] as string;
const last = (...instants: string[]) => instants.sort().at(-1) as string;

const alike = (a: JournalEntry, b: JournalEntry) =>
  a.kind === 'looks' &&
  b.kind === 'looks' &&
  dayOf(a) === dayOf(b) &&
  ['earliest', 'facility', 'cities'].every((key) => String(a.data[key]) === String(b.data[key])) &&
  (number(a.data.failures) === 0) === (number(b.data.failures) === 0);

/** Joins neighbouring looks of a day that found the same: pages are folded one by one, their borders are not. */
export function foldLooks(entries: JournalEntry[]): JournalEntry[] {
  const folded: JournalEntry[] = [];
  for (const entry of entries) {
    const newer = folded.at(-1);
    if (!newer || !alike(newer, entry)) {
      folded.push(entry);
      continue;
    }
    const sum = (key: string) => number(newer.data[key]) + number(entry.data[key]);
    folded[folded.length - 1] = {
      ...newer,
      at: first(entry.at, newer.at),
      until: last(endOf(newer), endOf(entry)),
      count: newer.count + entry.count,
      data: {
        ...newer.data,
        looks: sum('looks'),
        failures: sum('failures'),
        slots: Math.max(number(newer.data.slots), number(entry.data.slots)),
      },
    };
  }
  return folded;
}

/** Parts a journal, newest first, into days of the display zone, with its looks folded. */
export function journalDays(entries: JournalEntry[]): JournalDay[] {
  const days: JournalDay[] = [];
  for (const entry of foldLooks(entries)) {
    const day = dayOf(entry);
    const newest = days.at(-1);
    if (newest?.day === day) newest.entries.push(entry);
    else days.push({ day, entries: [entry] });
  }
  return days;
}

/** How a row of the journal looks and what it says: keys of the locale files with their values. */
export interface JournalLine {
  icon: LucideIcon;
  tone: 'plain' | 'ok' | 'err' | 'warn';
  title: Words;
  text: Words | null;
  values: Record<string, string | number>;
}

/** What turns the wire's names into words of the page. */
export interface JournalWords {
  cityName: (facility: string) => string;
  clock: (time: string) => string;
  amount: (value: number) => string;
  /** An instant as its time of day. */
  when: (instant: string) => string;
  /** A word of a small list of codes, or the code itself where it is not known. */
  word: (group: 'trouble' | 'reason' | 'stop', code: string) => string;
}

interface Look {
  icon: LucideIcon;
  tone?: JournalLine['tone'];
  title: Words;
  text?: Words;
}

const kinds: Record<string, Look> = {
  submitted: { icon: Play, title: 'journal.submitted', text: 'journal.submittedText' },
  started: { icon: Play, title: 'journal.started' },
  paused: { icon: Pause, title: 'journal.stopped' },
  deleted: { icon: Trash2, title: 'journal.deleted' },
  edited: { icon: Pencil, title: 'journal.edited' },
  signed_in: { icon: LogIn, tone: 'ok', title: 'journal.signedIn', text: 'journal.signedInText' },
  watching: { icon: Eye, title: 'journal.watching' },
  standby: { icon: Clock, title: 'journal.standby', text: 'journal.standbyText' },
  alerted: { icon: Mail, title: 'journal.alerted', text: 'journal.slot' },
  attempted: { icon: ArrowLeftRight, title: 'journal.attempted', text: 'journal.attemptedText' },
  nothing_sent: { icon: CircleX, tone: 'err', title: 'journal.nothingSent', text: 'journal.nothingSentText' },
  not_booked: { icon: X, tone: 'err', title: 'journal.notBooked', text: 'journal.notBookedText' },
  slot_gone: { icon: X, title: 'journal.slotGone', text: 'journal.slotGoneText' },
  not_booked_because: { icon: Lock, title: 'journal.notBookedBecause', text: 'journal.notBookedBecauseText' },
  booking_unconfirmed: { icon: TriangleAlert, tone: 'warn', title: 'journal.unconfirmed', text: 'journal.unconfirmedText' },
  booked: { icon: CalendarCheck, tone: 'ok', title: 'journal.booked', text: 'journal.bookedText' },
  booked_by_user: { icon: CalendarCheck, tone: 'ok', title: 'journal.bookedByUser', text: 'journal.bookedText' },
  changed_outside: { icon: ArrowLeftRight, tone: 'warn', title: 'journal.changedOutside', text: 'journal.changedOutsideText' },
  trouble: { icon: TriangleAlert, tone: 'warn', title: 'journal.trouble', text: 'journal.troubleText' },
  status: { icon: Info, title: 'journal.status', text: 'journal.statusText' },
  lists_differ: { icon: Activity, title: 'journal.listsDiffer', text: 'journal.listsDifferText' },
  lists_shared_again: { icon: Activity, title: 'journal.listsShared', text: 'journal.listsSharedText' },
};

interface WireSlot {
  date: string;
  time: string | null;
  facility: string;
}
const slotOf = (value: unknown): WireSlot | null => {
  const slot = value as Partial<WireSlot> | null | undefined;
  return slot?.date ? { date: slot.date, time: slot.time ?? null, facility: slot.facility ?? '' } : null;
};

function looks(entry: JournalEntry, words: JournalWords): JournalLine {
  const { data } = entry;
  const count = number(data.looks) || entry.count;
  const failures = number(data.failures);
  const cities = Array.isArray(data.cities) ? data.cities.length : 0;
  const earliest = text(data.earliest);
  const all = failures >= count && count > 0;
  return {
    icon: Eye,
    tone: all ? 'warn' : 'plain',
    title: count > 1 ? 'journal.looksMany' : 'journal.looksOne',
    text: all
      ? 'journal.looksFailed'
      : earliest
        ? failures > 0
          ? 'journal.looksSomeFailed'
          : 'journal.looksFound'
        : 'journal.looksNothing',
    values: {
      count: count > 1 ? count : cities,
      date: earliest,
      city: words.cityName(text(data.facility)),
      slots: number(data.slots),
      failures,
    },
  };
}

const slotGone: Record<string, Words> = {
  taken_for_another: 'journal.slotTakenText',
  account_resting: 'journal.slotRestText',
  no_budget: 'journal.slotRestText',
  not_reached: 'journal.slotLateText',
};

/** Texts that would name what the entry does not carry are left out. */
function textOf(look: Look, entry: JournalEntry): Words | null {
  const { kind, data } = entry;
  const [from, to] = [slotOf(data.from), slotOf(data.to)];
  if (kind === 'submitted') return number(data.held) > 0 ? 'journal.submittedText' : null;
  if (kind === 'booked' || kind === 'booked_by_user') {
    if (!to) return null;
    const charged = number(data.charged) > 0;
    if (!from) return charged ? 'journal.bookedFirstCharged' : 'journal.bookedFirstText';
    return charged ? 'journal.bookedCharged' : 'journal.bookedText';
  }
  if (kind === 'changed_outside')
    return to ? (from ? 'journal.changedOutsideText' : 'journal.changedOutsideNew') : 'journal.changedOutsideGone';
  if (kind === 'slot_gone') return slotGone[text(data.why)] ?? 'journal.slotGoneText';
  if (kind === 'status') return data.reason ? 'journal.statusText' : null;
  return look.text ?? null;
}

/** What a row of the journal says; a kind this page does not know shows its own name. */
export function journalLine(entry: JournalEntry, words: JournalWords): JournalLine {
  if (entry.kind === 'looks') return looks(entry, words);
  const look = kinds[entry.kind];
  const { data } = entry;
  if (!look) return { icon: Info, tone: 'plain', title: 'journal.other', text: null, values: { kind: entry.kind } };
  const [from, to] = [slotOf(data.from), slotOf(data.to)];
  const stop = (data.stop ?? {}) as { why?: unknown };
  const days = number(data.days);
  const values = {
    count: days,
    held: words.amount(number(data.held)),
    charged: words.amount(number(data.charged)),
    date: to?.date ?? text(data.date),
    from: from?.date ?? '',
    time: to?.time ? words.clock(to.time) : '',
    city: words.cityName(to?.facility ?? text(data.facility)),
    percent: number(data.agreed_percent),
    again: text(data.read_again) ? words.when(text(data.read_again)) : '',
    code: words.word('trouble', text(data.code)),
    reason: words.word('reason', text(data.reason)),
    stop: words.word('stop', text(stop.why)),
  };
  const status = entry.kind === 'status' ? statusLook(text(data.status), text(data.reason)) : null;
  return { icon: look.icon, tone: look.tone ?? 'plain', title: look.title, text: textOf(look, entry), ...status, values };
}

function statusLook(status: string, reason: string): Pick<JournalLine, 'icon' | 'tone' | 'title'> {
  if (status === 'error') return { icon: TriangleAlert, tone: 'err', title: 'journal.statusError' };
  if (status === 'active') return { icon: Play, tone: 'ok', title: 'journal.started' };
  return {
    icon: reason === 'auto_stop' ? Check : Pause,
    tone: reason === 'auto_stop' ? 'ok' : 'plain',
    title: 'journal.status',
  };
}
