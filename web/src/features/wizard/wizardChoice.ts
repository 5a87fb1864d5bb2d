import type { Task, VerifiedAppointment, VerifiedGroup } from '../../shared/api/types.ts';
import { type CivilDate, daysBetween } from '../../shared/format/dates.ts';

/** Why a group cannot be chosen: a reason of the server, and the own task that has it, where there is one. */
interface Barrier {
  reason: string;
  taskId: string | null;
}

/** One row of step 2: a group with the appointment shown for it, and what keeps it from being chosen. */
export interface Choice {
  group: VerifiedGroup;
  appointment: VerifiedAppointment;
  barrier?: Barrier | null;
}

/** What the wizard knows beside the portal's answer: one's own tasks and the day it is. */
interface ChoiceFacts {
  tasks: Pick<Task, 'id' | 'status' | 'portal_schedule_id' | 'appointments'>[];
  today: CivilDate;
}

/** A fee that lapses within so many days is warned of. */
export const FEE_SOON_DAYS = 30;
const HOLDING = ['submitted', 'processing', 'active', 'stopped'];
const MONITORABLE = ['schedule_appointment', 'attend_appointment'];

/** The own task that monitors an appointment: by schedule id, or by IVR number where an id is not known. */
export function holderOf(appointment: VerifiedAppointment, tasks: ChoiceFacts['tasks']): string | null {
  const holds = (task: ChoiceFacts['tasks'][number]) => {
    if (!HOLDING.includes(task.status)) return false;
    return [{ schedule_id: task.portal_schedule_id, ivr_account_number: null }, ...task.appointments].some((known) =>
      known.schedule_id && appointment.schedule_id
        ? known.schedule_id === appointment.schedule_id
        : known.ivr_account_number !== null && known.ivr_account_number === appointment.ivr_account_number,
    );
  };
  return tasks.find(holds)?.id ?? null;
}

/** How many days a visa fee still holds; null when no date is known. */
export function feeDaysLeft(appointment: Pick<VerifiedAppointment, 'payment_expiry_date'>, today: CivilDate): number | null {
  return appointment.payment_expiry_date ? daysBetween(today, appointment.payment_expiry_date) : null;
}

/** What keeps an appointment from being chosen. The portal's answer may be half an hour old: own tasks and the day are newer. */
export function barrierOf(appointment: VerifiedAppointment, { tasks, today }: ChoiceFacts): Barrier | null {
  const taskId = holderOf(appointment, tasks);
  if (taskId) return { reason: 'monitored_by_self', taskId };
  const said = appointment.selectable ? null : (appointment.reason ?? 'status_not_monitorable');
  if (said) return { reason: said, taskId: null };
  if (appointment.status === 'pay_visa_fee') return { reason: 'pay_visa_fee', taskId: null };
  if ((feeDaysLeft(appointment, today) ?? 0) < 0) return { reason: 'fee_expired', taskId: null };
  return MONITORABLE.includes(appointment.status) ? null : { reason: 'status_not_monitorable', taskId: null };
}

/** The rows of step 2, those that can be chosen first. */
export function choicesOf(groups: VerifiedGroup[], facts: ChoiceFacts): Choice[] {
  const rows = groups.flatMap((group) =>
    group.appointments.map((appointment) => ({ group, appointment, barrier: barrierOf(appointment, facts) })),
  );
  return rows.sort((a, b) => Number(Boolean(a.barrier)) - Number(Boolean(b.barrier)));
}

/** The draft ids that are chosen: before any choice, the only one that can be. */
export function selectedOf(choices: Choice[], selected: string[] | null): string[] {
  if (selected) return selected;
  const free = choices.filter((choice) => !choice.barrier);
  return free.length === 1 ? free.map((choice) => choice.group.id) : [];
}

/** The rows the person chose, by draft id. */
export function chosenOf(choices: Choice[], selected: string[]): Choice[] {
  return choices.filter((choice) => !choice.barrier && selected.includes(choice.group.id));
}

/** The chosen rows whose fee lapses soon, with the first day it is too late. */
export function expiringOf(chosen: Choice[], today: CivilDate): { count: number; first: CivilDate } | null {
  const soon = chosen.flatMap(({ appointment }) => {
    const left = feeDaysLeft(appointment, today);
    return left !== null && left >= 0 && left <= FEE_SOON_DAYS ? [appointment.payment_expiry_date ?? ''] : [];
  });
  const [first] = soon.sort();
  return first ? { count: soon.length, first } : null;
}

/** Who goes together: these people moved from `present`, or booked for the first time. */
interface Party {
  names: string[];
  present: CivilDate | null;
}

/** The people of the chosen rows in their order: those with an appointment first, rows of the same date (or of none) together. */
export function partiesOf(choices: Choice[]): Party[] {
  const parties: Party[] = [];
  for (const { appointment } of choices) {
    const present = appointment.appointment_date ?? null;
    const same = parties.find((party) => party.present === present);
    if (same) same.names.push(...appointment.applicant_names);
    else parties.push({ names: [...appointment.applicant_names], present });
  }
  return parties.sort((a, b) => Number(a.present === null) - Number(b.present === null));
}

/** The dates that the chosen rows hold, each once, the latest apart: until that one an earlier date is of use. */
export function heldDatesOf(choices: Choice[]): { present: CivilDate | null; others: CivilDate[] } {
  const dates = [...new Set(choices.flatMap(({ appointment }) => appointment.appointment_date ?? []))].sort();
  return { present: dates.at(-1) ?? null, others: dates.slice(0, -1) };
}

/** Applicants on all chosen rows; a row without a count has as many as it has names, at least one. */
export function applicantsOf(choices: Choice[]): number {
  return choices.reduce(
    (sum, { appointment }) => sum + (appointment.applicants_count || appointment.applicant_names.length || 1),
    0,
  );
}

/** The chosen rows by task, each task once: one configure call is made for each. */
export function byTask(chosen: Choice[]): { id: string; choices: Choice[] }[] {
  const tasks = new Map<string, Choice[]>();
  for (const choice of chosen) tasks.set(choice.group.id, [...(tasks.get(choice.group.id) ?? []), choice]);
  return [...tasks].map(([id, choices]) => ({ id, choices }));
}
