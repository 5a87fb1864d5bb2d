import { expect, it } from 'vitest';
import { groups } from '../../mock/story.ts';
import { applicantsOf, choicesOf, chosenOf, recommendedTopUp } from './wizardChoice.ts';

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
