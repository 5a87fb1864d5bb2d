import type { VerifiedAppointment, VerifiedGroup } from '../api/types.ts';

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
