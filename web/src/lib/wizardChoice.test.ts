import { expect, it } from 'vitest';
import { groups } from '../../mock/story.ts';
import { applicantsOf, choicesOf, chosenOf, recommendedTopUp, wishesOf } from './wizardChoice.ts';

const drafts = groups.map((appointment, index) => ({
  id: `d${index}`,
  status: 'draft',
  portal_schedule_id: appointment.schedule_id,
  appointments: [appointment],
}));

it('never counts a row that cannot be selected', () => {
  const chosen = chosenOf(drafts, ['d0', 'd1', 'd3']);
  expect(chosen.map((choice) => choice.group.id)).toEqual(['d0', 'd1']);
  expect(applicantsOf(chosen)).toBe(3);
  expect(choicesOf(drafts)).toHaveLength(5);
});

it('recommends the larger of 50 and the shortage', () => {
  expect(recommendedTopUp(12)).toBe(50);
  expect(recommendedTopUp(76.5)).toBe(76.5);
});

it('puts people of the same day together, and those without an appointment apart', () => {
  const on = (schedule_id: string, applicant_names: string[], appointment_date: string | null) => {
    const appointment = { ...(groups[0] as (typeof groups)[0]), schedule_id, applicant_names, appointment_date };
    const group = { id: schedule_id, status: 'draft', portal_schedule_id: schedule_id, appointments: [appointment] };
    return { group, appointment };
  };
  expect(
    wishesOf([on('1', ['Wu'], null), on('2', ['Lin'], '2027-08-17'), on('3', ['Zhao'], '2027-03-02'), on('4', ['He'], null)]),
  ).toEqual([
    { names: ['Zhao'], present: '2027-03-02' },
    { names: ['Lin'], present: '2027-08-17' },
    { names: ['Wu', 'He'], present: null },
  ]);
});
