import { expect, it } from 'vitest';
import { groups } from '../../../mock/story.ts';
import { recommendedTopUp } from '../../shared/api/pricing.ts';
import type { Task, VerifiedAppointment } from '../../shared/api/types.ts';
import { addDays, civilToday } from '../../shared/format/dates.ts';
import {
  applicantsOf,
  barrierOf,
  byTask,
  type Choice,
  choicesOf,
  chosenOf,
  expiringOf,
  heldDatesOf,
  holderOf,
  partiesOf,
  presentCities,
  selectedOf,
} from './wizardChoice.ts';

const today = civilToday(Date.now());
const free = groups[0] as VerifiedAppointment;
/** Returns a task of the user with the fields that the wizard compares. */
const own = (status: string, schedule_id: string, ivr: string | null = null) => {
  const appointments = [{ ...free, schedule_id, ivr_account_number: ivr }];
  return { id: `t-${status}`, status: status as Task['status'], portal_schedule_id: schedule_id, appointments };
};

const drafts = groups.map((appointment, index) => ({
  id: `d${index}`,
  status: 'draft',
  portal_schedule_id: appointment.schedule_id,
  appointments: [appointment],
}));

// spec: 4.3.02
it('never counts a row that cannot be selected', () => {
  const choices = choicesOf(drafts, { tasks: [], today });
  const chosen = chosenOf(choices, ['d0', 'd1', 'd3']);
  expect(chosen.map((choice) => choice.group.id)).toEqual(['d0', 'd1']);
  expect(applicantsOf(chosen)).toBe(3);
  expect(choices.map((choice) => choice.barrier?.reason ?? null)).toEqual([
    null,
    null,
    'monitored_by_self',
    'pay_visa_fee',
    'fee_expired',
  ]);
});

it('selects the only available group until the user chooses', () => {
  const [all, only] = [drafts, drafts.slice(1)].map((groups) => choicesOf(groups, { tasks: [], today })) as [Choice[], Choice[]];
  expect(selectedOf(all, null)).toEqual([]);
  expect(selectedOf(only, null)).toEqual(['d1']);
  expect(selectedOf(only, [])).toEqual([]);
  expect(selectedOf(only, ['d1'])).toEqual(['d1']);
});

// spec: 8.2.14, 9.21
it('recommends the larger of 50 and the shortage', () => {
  expect(recommendedTopUp(12)).toBe(50);
  expect(recommendedTopUp(76.5)).toBe(76.5);
});

it('groups applicants with the same date, and separately those without an appointment', () => {
  const on = (schedule_id: string, applicant_names: string[], appointment_date: string | null) => {
    const appointment = { ...(groups[0] as (typeof groups)[0]), schedule_id, applicant_names, appointment_date };
    const group = { id: schedule_id, status: 'draft', portal_schedule_id: schedule_id, appointments: [appointment] };
    return { group, appointment };
  };
  expect(
    partiesOf([on('1', ['Wu'], null), on('2', ['Lin'], '2027-08-17'), on('3', ['Zhao'], '2027-03-02'), on('4', ['He'], null)]),
  ).toEqual([
    { names: ['Lin'], present: '2027-08-17' },
    { names: ['Zhao'], present: '2027-03-02' },
    { names: ['Wu', 'He'], present: null },
  ]);
});

// spec: 4.3.05
it('treats a group as monitored by an own task that is submitted, processing, active or stopped', () => {
  for (const status of ['submitted', 'processing', 'active', 'stopped'])
    expect(holderOf(free, [own(status, free.schedule_id)])).toBe(`t-${status}`);
  for (const status of ['draft', 'configured', 'error']) expect(holderOf(free, [own(status, free.schedule_id)])).toBeNull();
  expect(holderOf(free, [own('active', 'another')])).toBeNull();
});

// spec: 4.3.06
it('compares an IVR number only if a schedule id is unknown', () => {
  const nameless = { ...free, schedule_id: '' };
  expect(holderOf(nameless, [own('active', 'other', free.ivr_account_number)])).toBe('t-active');
  expect(holderOf(free, [own('active', 'other', free.ivr_account_number)])).toBeNull();
  expect(holderOf({ ...nameless, ivr_account_number: null }, [own('active', '', null)])).toBeNull();
});

// spec: 4.3.02
it('prefers own tasks and the present day to an old verification', () => {
  const facts = { tasks: [own('active', free.schedule_id)], today };
  expect(barrierOf(free, facts)).toEqual({ reason: 'monitored_by_self', taskId: 't-active' });
  const none = { tasks: [], today };
  expect(barrierOf(free, none)).toBeNull();
  expect(barrierOf({ ...free, payment_expiry_date: addDays(today, -1) }, none)?.reason).toBe('fee_expired');
  expect(barrierOf({ ...free, payment_expiry_date: today }, none)).toBeNull();
  expect(barrierOf({ ...free, status: 'pay_visa_fee' }, none)?.reason).toBe('pay_visa_fee');
  for (const status of ['interview', 'expired', 'something_new'])
    expect(barrierOf({ ...free, status }, none)?.reason).toBe('status_not_monitorable');
});

// spec: 4.3.07
it('warns of a fee that expires within 30 days, with the first day', () => {
  const rows = [31, 30, 0, -1].map((days) => ({
    group: drafts[0] as (typeof drafts)[0],
    appointment: { ...free, payment_expiry_date: addDays(today, days) },
  }));
  expect(expiringOf(rows, today)).toEqual({ count: 2, first: today });
  expect(expiringOf(rows.slice(0, 1), today)).toBeNull();
});

it('returns each task once, with all its chosen appointments', () => {
  const [one, two] = choicesOf(drafts, { tasks: [], today });
  if (!one || !two) throw new Error('the story has too few groups');
  const twice = { ...one, appointment: { ...one.appointment, schedule_id: 'second' } };
  expect(byTask([one, two, twice]).map((task) => [task.id, task.choices.length])).toEqual([
    [one.group.id, 2],
    [two.group.id, 1],
  ]);
});

it('returns all dates of the chosen groups, the latest one separately', () => {
  const on = (appointment_date: string | null) => ({ appointment: { appointment_date } }) as Choice;
  expect(heldDatesOf([on('2027-09-23'), on(null), on('2027-08-03'), on('2027-09-23')])).toEqual({
    present: '2027-09-23',
    others: ['2027-08-03'],
  });
  expect(heldDatesOf([on(null)])).toEqual({ present: null, others: [] });
});

it('knows the city of the present appointments only if it is one city that can be chosen', () => {
  const [vancouver, none] = choicesOf(drafts, { tasks: [], today }) as [Choice, Choice];
  const ottawa = { ...vancouver, appointment: { ...vancouver.appointment, facility: 'Ottawa' } };
  const known = ['Ottawa', 'Vancouver'];
  expect(presentCities([vancouver, none, vancouver], known)).toEqual(['Vancouver']);
  expect(presentCities([none], known)).toEqual([]);
  expect(presentCities([vancouver, ottawa], known)).toEqual([]);
  expect(presentCities([vancouver], ['Ottawa'])).toEqual([]);
});
