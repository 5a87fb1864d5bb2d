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
import type { Fingerprints, JournalEntry } from '../../shared/api/types.ts';
import type { CivilDate } from '../../shared/format/dates.ts';
import { instantParts } from '../../shared/i18n/format.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';

/** Journal entries of one day, newest first. */
interface JournalDay {
  day: CivilDate;
  entries: JournalEntry[];
}

type Polls = Extract<JournalEntry, { kind: 'looks' }>;
const dayOf = (entry: JournalEntry) => instantParts(entry.at).date;
const endOf = (entry: JournalEntry) => entry.until ?? entry.at;

/** Instants in RFC 3339 and UTC can be sorted as texts. */
const first = (...instants: string[]) => instants.sort()[0] as string;
const last = (...instants: string[]) => instants.sort().at(-1) as string;

const alike = (a: JournalEntry, b: JournalEntry): boolean =>
  a.kind === 'looks' &&
  b.kind === 'looks' &&
  dayOf(a) === dayOf(b) &&
  a.data.earliest === b.data.earliest &&
  a.data.facility === b.data.facility &&
  String(a.data.cities) === String(b.data.cities) &&
  (a.data.failures === 0) === (b.data.failures === 0);

/**
 * Merges adjacent polls of a day with the same result. The server merges them only within a page.
 */
export function foldPolls(entries: JournalEntry[]): JournalEntry[] {
  const folded: JournalEntry[] = [];
  for (const entry of entries) {
    const newer = folded.at(-1);
    if (newer?.kind !== 'looks' || entry.kind !== 'looks' || !alike(newer, entry)) {
      folded.push(entry);
      continue;
    }
    folded[folded.length - 1] = {
      ...newer,
      at: first(entry.at, newer.at),
      until: last(endOf(newer), endOf(entry)),
      count: newer.count + entry.count,
      data: {
        ...newer.data,
        looks: newer.data.looks + entry.data.looks,
        failures: newer.data.failures + entry.data.failures,
        slots: Math.max(newer.data.slots, entry.data.slots),
      },
    };
  }
  return folded;
}

/** Groups journal entries by day of the display zone, newest first, with merged polls. */
export function journalDays(entries: JournalEntry[]): JournalDay[] {
  const days: JournalDay[] = [];
  for (const entry of foldPolls(entries)) {
    const day = dayOf(entry);
    const newest = days.at(-1);
    if (newest?.day === day) newest.entries.push(entry);
    else days.push({ day, entries: [entry] });
  }
  return days;
}

/** Style and texts of a journal row. Texts are keys of the locale files with their values. */
export interface JournalLine {
  icon: LucideIcon;
  tone: 'plain' | 'ok' | 'err' | 'warn';
  title: TextKey;
  text: TextKey | null;
  values: Record<string, string | number>;
  /** Fingerprint appointment of the interview that the text names. It follows the text. */
  fingerprints?: Fingerprints | null;
}

/** Slot of a journal entry. */
type Slot = Extract<JournalEntry, { kind: 'fingerprints_differ' }>['data']['shown'];

/** Functions that format values of the API for the page. */
export interface JournalFormat {
  cityName: (facility: string) => string;
  clock: (time: string) => string;
  amount: (value: number) => string;
  /** Formats an interview with its fingerprint appointment. */
  pair: (slot: Slot) => string;
  /** Formats the time of an instant. */
  when: (instant: string) => string;
  /** Returns the text of a code, or the code itself if it has no text. */
  codeText: (group: 'trouble' | 'reason' | 'stop', code: string) => string;
}

interface LineStyle {
  icon: LucideIcon;
  tone?: JournalLine['tone'];
  title: TextKey;
}

const looks: Record<Exclude<JournalEntry['kind'], 'looks' | 'status'>, LineStyle> = {
  submitted: { icon: Play, title: 'journal.submitted' },
  started: { icon: Play, title: 'journal.started' },
  paused: { icon: Pause, title: 'journal.stopped' },
  deleted: { icon: Trash2, title: 'journal.deleted' },
  edited: { icon: Pencil, title: 'journal.edited' },
  group_accepted: { icon: Check, title: 'journal.groupAccepted' },
  signed_in: { icon: LogIn, tone: 'ok', title: 'journal.signedIn' },
  watching: { icon: Eye, title: 'journal.watching' },
  standby: { icon: Clock, title: 'journal.standby' },
  alerted: { icon: Mail, title: 'journal.alerted' },
  asked: { icon: Mail, title: 'journal.asked' },
  not_asked: { icon: CircleX, title: 'journal.notAsked' },
  said_yes: { icon: Check, tone: 'ok', title: 'journal.saidYes' },
  attempted: { icon: ArrowLeftRight, title: 'journal.attempted' },
  nothing_sent: { icon: CircleX, tone: 'err', title: 'journal.nothingSent' },
  not_booked: { icon: X, tone: 'err', title: 'journal.notBooked' },
  slot_gone: { icon: X, title: 'journal.slotGone' },
  not_booked_because: { icon: Lock, title: 'journal.notBookedBecause' },
  booking_unconfirmed: { icon: TriangleAlert, tone: 'warn', title: 'journal.unconfirmed' },
  fingerprints_differ: { icon: TriangleAlert, tone: 'err', title: 'journal.fingerprintsDiffer' },
  booked: { icon: CalendarCheck, tone: 'ok', title: 'journal.booked' },
  booked_by_user: { icon: CalendarCheck, tone: 'ok', title: 'journal.bookedByUser' },
  changed_outside: { icon: ArrowLeftRight, tone: 'warn', title: 'journal.changedOutside' },
  trouble: { icon: TriangleAlert, tone: 'warn', title: 'journal.trouble' },
  lists_differ: { icon: Activity, title: 'journal.listsDiffer' },
  lists_shared_again: { icon: Activity, title: 'journal.listsShared' },
  other: { icon: Info, title: 'journal.other' },
};

const slotGone = {
  no_times: 'journal.slotGoneText',
  time_of_day: 'journal.slotGoneTimeText',
  taken_for_another: 'journal.slotTakenText',
  account_resting: 'journal.slotRestText',
  no_budget: 'journal.slotRestText',
  not_reached: 'journal.slotLateText',
  asked_often: 'journal.slotLateText',
  no_fingerprints: 'journal.slotNoFingerprintsText',
  fingerprints_not_wanted: 'journal.slotFingerprintsUnfitText',
  fingerprints_at_consulate: 'journal.slotFingerprintsThereText',
  fingerprints_unread: 'journal.slotFingerprintsUnreadText',
} as const;

type LineText = Pick<JournalLine, 'text' | 'values' | 'fingerprints'>;

function pollsLine({ data, count: folded }: Polls, format: JournalFormat): JournalLine {
  const { earliest, facility, failures, slots, cities } = data;
  // Number of answered polls, or of failed polls if none was answered.
  const count = data.looks || failures || folded;
  const all = data.looks === 0 && failures > 0;
  const found: TextKey = failures > 0 ? 'journal.looksSomeFailed' : 'journal.looksFound';
  return {
    icon: Eye,
    tone: all ? 'warn' : 'plain',
    title: count > 1 ? 'journal.looksMany' : 'journal.looksOne',
    text: all ? 'journal.looksFailed' : earliest ? found : 'journal.looksNothing',
    values: {
      count: count > 1 ? count : cities.length,
      date: earliest ?? '',
      city: facility ? format.cityName(facility) : '',
      slots,
      failures,
    },
  };
}

function bookedText({ data }: Extract<JournalEntry, { kind: 'booked' | 'booked_by_user' }>, format: JournalFormat): LineText {
  const { from, to, days, charged } = data;
  const texts: [TextKey, TextKey] = from
    ? ['journal.bookedText', 'journal.bookedCharged']
    : ['journal.bookedFirstText', 'journal.bookedFirstCharged'];
  return {
    text: texts[charged > 0 ? 1 : 0],
    values: {
      count: days ?? 0,
      charged: format.amount(charged),
      from: from?.date ?? '',
      date: to.date,
      time: format.clock(to.time),
      city: format.cityName(to.facility),
    },
    fingerprints: to.fingerprints,
  };
}

/** Returns whether two slots have the same interview. */
const sameInterview = (a: Slot | null, b: Slot) => a?.date === b.date && a.time === b.time && a.facility === b.facility;

/** Returns the text of a change that was made on the official site. */
function changedText({ from, to }: Extract<JournalEntry, { kind: 'changed_outside' }>['data'], format: JournalFormat): LineText {
  if (!to) return { text: 'journal.changedOutsideGone', values: {} };
  const { date, facility, fingerprints } = to;
  const values = { date, city: format.cityName(facility), from: from?.date ?? '' };
  if (sameInterview(from, to) && (from?.fingerprints || fingerprints))
    return { text: fingerprints ? 'journal.changedFingerprintsText' : 'journal.changedFingerprintsGone', values, fingerprints };
  return { text: from ? 'journal.changedOutsideText' : 'journal.changedOutsideNew', values, fingerprints };
}

/** Returns the second line of a row, or nothing if the title suffices. */
function textOf(entry: Exclude<JournalEntry, Polls>, format: JournalFormat): LineText {
  const day = ({ facility, date }: { facility: string; date: string }) => ({ date, city: format.cityName(facility) });
  const lineText = (text: TextKey, values: JournalLine['values'] = {}): LineText => ({ text, values });
  switch (entry.kind) {
    case 'submitted':
      return entry.data.held > 0
        ? lineText('journal.submittedText', { held: format.amount(entry.data.held) })
        : { text: null, values: {} };
    case 'signed_in':
      return lineText('journal.signedInText');
    case 'standby':
      return lineText('journal.standbyText');
    case 'alerted':
    case 'said_yes':
      return lineText('journal.slot', day(entry.data));
    case 'asked':
      return lineText('journal.askedText', day(entry.data));
    case 'not_asked': {
      if (entry.data.why === 'asked_often') return lineText('journal.notAskedOftenText', day(entry.data));
      const rests = entry.data.why === 'no_budget' || entry.data.why === 'account_resting';
      return lineText(rests ? 'journal.notAskedRestText' : 'journal.notAskedText', day(entry.data));
    }
    case 'attempted':
      return lineText('journal.attemptedText');
    case 'nothing_sent':
      return lineText('journal.nothingSentText');
    case 'not_booked':
      return lineText('journal.notBookedText', day(entry.data));
    case 'slot_gone':
      return lineText(slotGone[entry.data.why], day(entry.data));
    case 'not_booked_because':
      return lineText('journal.notBookedBecauseText', { ...day(entry.data), stop: format.codeText('stop', entry.data.stop.why) });
    case 'booking_unconfirmed':
      return lineText('journal.unconfirmedText', { again: format.when(entry.data.read_again) });
    case 'fingerprints_differ':
      return lineText('journal.fingerprintsDifferText', {
        wanted: format.pair(entry.data.wanted),
        shown: format.pair(entry.data.shown),
      });
    case 'booked':
    case 'booked_by_user':
      return bookedText(entry, format);
    case 'changed_outside':
      return changedText(entry.data, format);
    case 'trouble':
      return lineText('journal.troubleText', { code: format.codeText('trouble', entry.data.code) });
    case 'status':
      return entry.data.reason
        ? lineText('journal.statusText', { reason: format.codeText('reason', entry.data.reason) })
        : { text: null, values: {} };
    case 'lists_differ':
      return lineText('journal.listsDifferText', { city: format.cityName(entry.data.facility) });
    case 'lists_shared_again':
      return lineText('journal.listsSharedText', {
        city: format.cityName(entry.data.facility),
        percent: entry.data.agreed_percent,
      });
    default:
      return { text: null, values: {} };
  }
}

/** Returns the style and the texts of a journal row. An unknown kind is shown by its name. */
export function journalLine(entry: JournalEntry, format: JournalFormat): JournalLine {
  if (entry.kind === 'looks') return pollsLine(entry, format);
  const look = entry.kind === 'status' ? statusStyle(entry.data) : looks[entry.kind];
  // The entry is of a kind that this page does not know, or the server could not read its stored
  // form. A known kind then still has its title.
  if (!look || entry.kind === 'other') return untyped(entry.kind === 'other' ? entry.data.kind : (entry as JournalEntry).kind);
  return { icon: look.icon, tone: look.tone ?? 'plain', title: look.title, ...textOf(entry, format) };
}

function untyped(kind: string): JournalLine {
  const titles = new Map<string, LineStyle>([...Object.entries(looks), ['status', { icon: Info, title: 'journal.status' }]]);
  return { tone: 'plain', text: null, values: { kind }, ...(titles.get(kind) ?? looks.other) };
}

function statusStyle({ status, reason }: Extract<JournalEntry, { kind: 'status' }>['data']): LineStyle {
  if (status === 'error') return { icon: TriangleAlert, tone: 'err', title: 'journal.statusError' };
  if (status === 'active') return { icon: Play, tone: 'ok', title: 'journal.started' };
  return { icon: reason === 'auto_stop' ? Check : Pause, tone: reason === 'auto_stop' ? 'ok' : 'plain', title: 'journal.status' };
}
