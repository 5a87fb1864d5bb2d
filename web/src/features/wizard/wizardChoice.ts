import { defaultForm, type SearchForm } from '../../parts/criteria/searchForm.ts';
import type { Task, VerifiedAppointment, VerifiedGroup } from '../../shared/api/types.ts';
import { type CivilDate, daysBetween } from '../../shared/format/dates.ts';

/**
 * Reason why a group is unavailable: a reason code of the server, and the user's task that monitors
 * it, if any.
 */
interface Barrier {
  reason: string;
  taskId: string | null;
}

/** Row of step 2: a group with its appointment, and the reason why it is unavailable, if any. */
export interface Choice {
  group: VerifiedGroup;
  appointment: VerifiedAppointment;
  barrier?: Barrier | null;
}

/** Data besides the portal's response: the user's tasks and today's date. */
interface ChoiceFacts {
  tasks: Pick<Task, 'id' | 'status' | 'portal_schedule_id' | 'appointments'>[];
  today: CivilDate;
}

/** Number of days before its expiry from which a visa fee has a warning. */
export const FEE_SOON_DAYS = 30;
const HOLDING = ['submitted', 'processing', 'active', 'stopped'];
const MONITORABLE = ['schedule_appointment', 'attend_appointment'];

/**
 * Returns the id of the user's task that monitors an appointment, or null. It compares schedule
 * ids, or IVR numbers if an id is unknown.
 */
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

/** Returns the number of days until a visa fee expires, or null if the date is unknown. */
export function feeDaysLeft(appointment: Pick<VerifiedAppointment, 'payment_expiry_date'>, today: CivilDate): number | null {
  return appointment.payment_expiry_date ? daysBetween(today, appointment.payment_expiry_date) : null;
}

/**
 * Returns why an appointment is unavailable, or null. The user's tasks and today's date are checked
 * first, because the portal's response may be old.
 */
export function barrierOf(appointment: VerifiedAppointment, { tasks, today }: ChoiceFacts): Barrier | null {
  const taskId = holderOf(appointment, tasks);
  if (taskId) return { reason: 'monitored_by_self', taskId };
  const reason = appointment.selectable ? null : (appointment.reason ?? 'status_not_monitorable');
  if (reason) return { reason: reason, taskId: null };
  if (appointment.status === 'pay_visa_fee') return { reason: 'pay_visa_fee', taskId: null };
  if ((feeDaysLeft(appointment, today) ?? 0) < 0) return { reason: 'fee_expired', taskId: null };
  return MONITORABLE.includes(appointment.status) ? null : { reason: 'status_not_monitorable', taskId: null };
}

/** Returns the rows of step 2, available groups first. */
export function choicesOf(groups: VerifiedGroup[], facts: ChoiceFacts): Choice[] {
  const rows = groups.flatMap((group) =>
    group.appointments.map((appointment) => ({ group, appointment, barrier: barrierOf(appointment, facts) })),
  );
  return rows.sort((a, b) => Number(Boolean(a.barrier)) - Number(Boolean(b.barrier)));
}

/**
 * Returns the ids of the chosen draft tasks. Until the user chooses, it is the only available
 * group, if there is exactly one.
 */
export function selectedOf(choices: Choice[], selected: string[] | null): string[] {
  if (selected) return selected;
  const free = choices.filter((choice) => !choice.barrier);
  return free.length === 1 ? free.map((choice) => choice.group.id) : [];
}

/** Returns the available rows whose draft task is chosen. */
export function chosenOf(choices: Choice[], selected: string[]): Choice[] {
  return choices.filter((choice) => !choice.barrier && selected.includes(choice.group.id));
}

/**
 * Returns the city of the chosen rows' present appointments as a list. The list is empty if there
 * is none, if they differ, or if the city is not in `known`.
 */
export function presentCities(chosen: Choice[], known: string[]): string[] {
  const cities = [...new Set(chosen.flatMap(({ appointment }) => appointment.facility ?? []))];
  return cities.length === 1 ? cities.filter((city) => known.includes(city)) : [];
}

/** Returns the criteria of the draft. Until the user changes them, they are the defaults. */
export function formOf(form: SearchForm | null, chosen: Choice[], known: string[], today: CivilDate): SearchForm {
  return form ?? { ...defaultForm(today), cities: presentCities(chosen, known) };
}

/**
 * Returns the number of chosen rows whose fee expires soon, and the first date that is too late for
 * one of them.
 */
export function expiringOf(chosen: Choice[], today: CivilDate): { count: number; first: CivilDate } | null {
  const soon = chosen.flatMap(({ appointment }) => {
    const left = feeDaysLeft(appointment, today);
    return left !== null && left >= 0 && left <= FEE_SOON_DAYS ? [appointment.payment_expiry_date ?? ''] : [];
  });
  const [first] = soon.sort();
  return first ? { count: soon.length, first } : null;
}

/** Applicants who have the same present date, or no appointment yet. */
interface Party {
  names: string[];
  present: CivilDate | null;
}

/**
 * Returns the applicants of the chosen rows, combined by present date. Applicants with an
 * appointment come first.
 */
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

/**
 * Returns the distinct dates of the chosen rows. `present` is the latest, because every earlier
 * date is an improvement for one of them.
 */
export function heldDatesOf(choices: Choice[]): { present: CivilDate | null; others: CivilDate[] } {
  const dates = [...new Set(choices.flatMap(({ appointment }) => appointment.appointment_date ?? []))].sort();
  return { present: dates.at(-1) ?? null, others: dates.slice(0, -1) };
}

/**
 * Returns the number of applicants in the chosen rows. A row without a number counts its names, at
 * least one.
 */
export function applicantsOf(choices: Choice[]): number {
  return choices.reduce(
    (sum, { appointment }) => sum + (appointment.applicants_count || appointment.applicant_names.length || 1),
    0,
  );
}

/** Returns the chosen rows by task. Each task needs one request. */
export function byTask(chosen: Choice[]): { id: string; choices: Choice[] }[] {
  const tasks = new Map<string, Choice[]>();
  for (const choice of chosen) tasks.set(choice.group.id, [...(tasks.get(choice.group.id) ?? []), choice]);
  return [...tasks].map(([id, choices]) => ({ id, choices }));
}
