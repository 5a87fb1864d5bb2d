import type { VerifiedAppointment, VerifiedGroup } from '../api/types.ts';
import type { CivilDate } from './dates.ts';

/** One row of step 2: a group with the appointment shown for it. */
export interface Choice {
  group: VerifiedGroup;
  appointment: VerifiedAppointment;
}

/** The rows of step 2, selectable ones first. */
export function choicesOf(groups: VerifiedGroup[]): Choice[] {
  const rows = groups.flatMap((group) => group.appointments.map((appointment) => ({ group, appointment })));
  return rows.sort((a, b) => Number(b.appointment.selectable) - Number(a.appointment.selectable));
}

/** The rows the person chose, by draft id. */
export function chosenOf(groups: VerifiedGroup[], selected: string[]): Choice[] {
  return choicesOf(groups).filter((choice) => choice.appointment.selectable && selected.includes(choice.group.id));
}

/** What one chosen row asks for: these people moved from `present`, or booked for the first time. */
export interface Wish {
  names: string[];
  present: CivilDate | null;
}

/** The chosen rows as wishes: those with an appointment first, rows of the same day (or of none) together. */
export function wishesOf(choices: Choice[]): Wish[] {
  const wishes: Wish[] = [];
  for (const { appointment } of choices) {
    const present = appointment.appointment_date ?? null;
    const same = wishes.find((wish) => wish.present === present);
    if (same) same.names.push(...appointment.applicant_names);
    else wishes.push({ names: [...appointment.applicant_names], present });
  }
  return wishes.sort((a, b) => (a.present ?? '9').localeCompare(b.present ?? '9'));
}

/** Applicants on all chosen rows; a row without a count has as many as it has names, at least one. */
export function applicantsOf(choices: Choice[]): number {
  return choices.reduce(
    (sum, { appointment }) => sum + (appointment.applicants_count || appointment.applicant_names.length || 1),
    0,
  );
}

/** What to top up for a shortage: at least 50. */
export function recommendedTopUp(shortage: number): number {
  return Math.max(50, Math.ceil(shortage * 100) / 100);
}
