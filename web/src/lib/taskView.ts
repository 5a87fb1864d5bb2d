import type { Appointment, Task } from '../api/types.ts';
import type { Words } from '../i18n/words.ts';
import type { IconName } from '../ui/iconPaths.tsx';
import type { CivilDate } from './dates.ts';
import { RUNNING } from './verdict.ts';

/** How a task's side panel looks. */
export type SideTone = 'on' | 'proc' | 'off' | 'done' | 'err';

/** The label, colour and icon of a status: colour, icon and word always together. */
export interface StatusView {
  tone: SideTone;
  label: Words;
  icon: IconName | null;
}

/** Maps a status to what the card shows; what we do not know is an error. */
export function statusView(task: Task): StatusView {
  if (task.status === 'submitted' || task.status === 'processing')
    return { tone: 'proc', label: 'task.processing', icon: 'gauge' };
  if (task.status === 'active') return { tone: 'on', label: 'task.monitoring', icon: null };
  if (task.status === 'stopped')
    return task.auto_stopped
      ? { tone: 'done', label: 'task.completed', icon: 'check' }
      : { tone: 'off', label: 'task.paused', icon: 'pause' };
  return { tone: 'err', label: 'task.needsYou', icon: 'alert' };
}

/** Which of start and stop a task offers. */
export function offeredMove(task: Task): 'start' | 'stop' | null {
  if (RUNNING.includes(task.status)) return 'stop';
  return task.status === 'stopped' || task.status === 'error' ? 'start' : null;
}

/** What the panel says about the money. */
export function holdWords(task: Task): Words {
  if (task.price.captured > 0) return 'task.captured';
  if (task.price.on_hold > 0) return 'task.held';
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

/** Progress in per cent by status, as the spec lists it. */
export function progressOf(status: string): number {
  return { draft: 15, configured: 30, submitted: 50, processing: 75, active: 100, stopped: 100 }[status] ?? 0;
}

/** How soon a visa fee lapses: the spec's four bands. */
export function expiryBand(daysLeft: number): 'expired' | 'warning' | 'caution' | 'good' {
  if (daysLeft < 0) return 'expired';
  if (daysLeft <= 7) return 'warning';
  return daysLeft <= 30 ? 'caution' : 'good';
}
