import { Check, Gauge, type LucideIcon, MailQuestion, NotepadText, Pause, TriangleAlert } from 'lucide-react';
import { isCompleted } from '../../shared/api/taskList.ts';
import type { Appointment, BookingMode, Task } from '../../shared/api/types.ts';
import { type CivilDate, daysBetween } from '../../shared/format/dates.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { openQuestion } from './question.ts';

/** How a task's side panel looks. */
export type SideTone = 'on' | 'proc' | 'off' | 'done' | 'ask' | 'err';

/** The label, colour and icon of a status: colour, icon and word always together. */
export interface StatusView {
  tone: SideTone;
  label: Words;
  icon: LucideIcon | null;
}

/**
 * Maps a status to what the card shows: submitted and processing read as active, an open question asks for its user, and what we do not
 * know is an error of unknown name.
 */
export function statusView(task: Task, nowMs = Date.now()): StatusView {
  if (openQuestion(task, nowMs)) return { tone: 'ask', label: 'task.asksYou', icon: MailQuestion };
  if (isStarting(task)) return { tone: 'proc', label: 'task.monitoring', icon: Gauge };
  if (task.status === 'active') return { tone: 'on', label: 'task.monitoring', icon: null };
  if (task.status === 'stopped')
    return isCompleted(task)
      ? { tone: 'done', label: 'task.completed', icon: Check }
      : { tone: 'off', label: 'task.paused', icon: Pause };
  if (task.status === 'draft' || task.status === 'configured')
    return { tone: 'off', label: 'task.configured', icon: NotepadText };
  return { tone: 'err', label: task.status === 'error' ? 'task.needsYou' : 'task.unknown', icon: TriangleAlert };
}

/** Whether a task is on its way to its first look. */
export const isStarting = (task: Task) => task.status === 'submitted' || task.status === 'processing';

/** What each mode is called. */
export const modeWords: Record<BookingMode, Words> = {
  auto: 'task.rebooking',
  ask: 'task.asking',
  notify: 'editor.notify',
};

/** What the panel says about the money. */
export function holdWords(task: Task): Words {
  if (task.price.captured > 0) return 'task.captured';
  if (task.price.on_hold > 0) return task.schedule_config.keep_current_appointment ? 'task.heldNotify' : 'task.held';
  if (task.price.total === 0) return 'task.free';
  return 'task.released';
}

/** All names on a task's appointments. */
export function applicantNames(appointments: Appointment[]): string[] {
  return appointments.flatMap((appointment) => appointment.applicant_names);
}

/** The dates a task held before its present one, oldest first. */
export function earlierDates(task: Task): CivilDate[] {
  const moves = [...task.success_history].sort((a, b) => a.timestamp.localeCompare(b.timestamp));
  return moves.flatMap((move) => move.fromDate ?? []);
}

/** The days all moves together have gained, where there were any. */
export function gainedDays(task: Task): number | null {
  const [first] = earlierDates(task);
  const present = task.appointments[0]?.appointment_date;
  return first && present && present < first ? daysBetween(present, first) : null;
}

/** Progress in per cent by status, as the spec lists it. */
export function progressOf(status: string): number {
  return { draft: 15, configured: 30, submitted: 50, processing: 75, active: 100, stopped: 100 }[status] ?? 0;
}

/** How urgent a task is for display; it decides nothing. */
export type Priority = 'high' | 'medium' | 'normal';

const HIGH = 0.8;
const MEDIUM = 0.5;
const HIGH_DAYS = 30;
const MEDIUM_DAYS = 90;

/** The operator's priority by its cut-offs, else by the days until the first appointment; without a date it is normal. */
export function priorityOf(task: Task, today: CivilDate): Priority {
  const set = task.schedule_config.priority;
  if (set !== null) return set >= HIGH ? 'high' : set >= MEDIUM ? 'medium' : 'normal';
  const date = task.appointments[0]?.appointment_date;
  if (!date) return 'normal';
  const days = daysBetween(today, date);
  return days <= HIGH_DAYS ? 'high' : days <= MEDIUM_DAYS ? 'medium' : 'normal';
}

/** What the card derives from a task's first appointment. */
interface TaskFacts {
  /** English city name, null where none is known. */
  city: string | null;
  canada: boolean;
  applicants: number;
  /** The portal login, the second half of the title. */
  account: string;
}

/** Facility, country and people of a task: the people fall back to the names, then to one. */
export function taskFacts(task: Task): TaskFacts {
  const first = task.appointments[0];
  return {
    city: first?.facility ?? null,
    canada: task.country_code === 'en-ca',
    applicants: first?.applicants_count || first?.applicant_names.length || 1,
    account: task.visa_credentials.username,
  };
}

/** How soon a visa fee lapses: the spec's four bands. */
export function expiryBand(daysLeft: number): 'expired' | 'warning' | 'caution' | 'good' {
  if (daysLeft < 0) return 'expired';
  if (daysLeft <= 7) return 'warning';
  return daysLeft <= 30 ? 'caution' : 'good';
}
