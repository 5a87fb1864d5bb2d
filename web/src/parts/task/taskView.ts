import { Check, Gauge, type LucideIcon, MailQuestion, NotepadText, Pause, TriangleAlert } from 'lucide-react';
import { isCompleted } from '../../shared/api/taskList.ts';
import type { Appointment, BookingMode, Task } from '../../shared/api/types.ts';
import { type CivilDate, daysBetween } from '../../shared/format/dates.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { openQuestion } from './question.ts';

/** Tone of a task's side panel. */
export type SideTone = 'on' | 'proc' | 'off' | 'done' | 'ask' | 'err';

/** Label, colour and icon of a status. */
export interface StatusView {
  tone: SideTone;
  label: TextKey;
  icon: LucideIcon | null;
}

/**
 * Returns the view of a task's status. An open question has precedence. Submitted and processing
 * tasks are shown as monitored. An unknown status is shown as an error.
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

/** Returns whether a task waits for its first poll. */
export const isStarting = (task: Task) => task.status === 'submitted' || task.status === 'processing';

/** Name of each booking mode. */
export const modeTexts: Record<BookingMode, TextKey> = {
  auto: 'task.rebooking',
  ask: 'task.asking',
  notify: 'editor.notify',
};

/** Returns the text about the money of a task: charged, on hold, or nothing. */
export function holdText(task: Task): TextKey {
  if (task.price.captured > 0) return 'task.captured';
  if (task.price.on_hold > 0) return task.schedule_config.keep_current_appointment ? 'task.heldNotify' : 'task.held';
  if (task.price.total === 0) return 'task.free';
  return 'task.released';
}

/** Returns the names of all applicants. */
export function applicantNames(appointments: Appointment[]): string[] {
  return appointments.flatMap((appointment) => appointment.applicant_names);
}

/** Returns the dates of the earlier appointments, oldest first. */
export function earlierDates(task: Task): CivilDate[] {
  const moves = [...task.success_history].sort((a, b) => a.timestamp.localeCompare(b.timestamp));
  return moves.flatMap((move) => move.fromDate ?? []);
}

/** Returns the days gained by all bookings, or null if there are none. */
export function gainedDays(task: Task): number | null {
  const [first] = earlierDates(task);
  const present = task.appointments[0]?.appointment_date;
  return first && present && present < first ? daysBetween(present, first) : null;
}

/** Returns the progress of a status in per cent, as the specification lists it. */
export function progressOf(status: string): number {
  return { draft: 15, configured: 30, submitted: 50, processing: 75, active: 100, stopped: 100 }[status] ?? 0;
}

/** Priority of a task for display. It has no effect on the engine. */
export type Priority = 'high' | 'medium' | 'normal';

const HIGH = 0.8;
const MEDIUM = 0.5;
const HIGH_DAYS = 30;
const MEDIUM_DAYS = 90;

/**
 * Returns the priority that the operator set, else a priority by the days until the first
 * appointment. Without a date it is normal.
 */
export function priorityOf(task: Task, today: CivilDate): Priority {
  const set = task.schedule_config.priority;
  if (set !== null) return set >= HIGH ? 'high' : set >= MEDIUM ? 'medium' : 'normal';
  const date = task.appointments[0]?.appointment_date;
  if (!date) return 'normal';
  const days = daysBetween(today, date);
  return days <= HIGH_DAYS ? 'high' : days <= MEDIUM_DAYS ? 'medium' : 'normal';
}

/** Values for a card, from the task's first appointment. */
interface TaskFacts {
  /** English name of the city, or null if unknown. */
  city: string | null;
  applicants: number;
  /** Name of the portal account. */
  account: string;
}

/**
 * Returns the values for a task's card. If the number of applicants is missing, it counts their
 * names. The result is at least one.
 */
export function taskFacts(task: Task): TaskFacts {
  const first = task.appointments[0];
  return {
    city: first?.facility ?? null,
    applicants: first?.applicants_count || first?.applicant_names.length || 1,
    account: task.visa_credentials.username,
  };
}

/** Returns how soon a visa fee expires, in four levels of the specification. */
export function expiryBand(daysLeft: number): 'expired' | 'warning' | 'caution' | 'good' {
  if (daysLeft < 0) return 'expired';
  if (daysLeft <= 7) return 'warning';
  return daysLeft <= 30 ? 'caution' : 'good';
}
