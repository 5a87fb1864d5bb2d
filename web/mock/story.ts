import type { Appointment, PollWait, Schemas, Task, VerifiedAppointment } from '../src/shared/api/types.ts';
import { addDays, civilToday } from '../src/shared/format/dates.ts';
import { actionsOf, stageOf } from './actions.ts';

/**
 * Invented applicants and dates. All dates are relative to today, so that pictures stay up to date.
 */
const today = civilToday(Date.now());
export const day = (offset: number) => addDays(today, offset);
export const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const minutesAhead = (minutes: number) => ago(-minutes);

/** Returns a city of a task, with its last check. */
export const city = (facility: string, over: Partial<Schemas['CityView']> = {}): Schemas['CityView'] => ({
  facility,
  last_answer_at: null,
  earliest_listed: null,
  listed_at: null,
  next_check_at: null,
  checked_within_seconds: 3 * 3600,
  ...over,
});

export const appointment = (over: Partial<Appointment>): Appointment => ({
  schedule_id: '58213407',
  ivr_account_number: '13904472',
  applicant_names: ['Lin Zhixia', 'Chen Yuhang'],
  applicant_ids: ['90211', '90212'],
  applicants_count: 2,
  appointment_date: day(266),
  appointment_time: '08:15',
  facility: 'Toronto',
  facility_id: 94,
  fingerprints: null,
  status: 'attend_appointment',
  payment_expiry_date: day(240),
  is_tcn_yes: false,
  visa_class: 'B1/B2 Business & Tourism (Temporary visitor)',
  visa_type: 'niv',
  country_code: 'en-ca',
  ...over,
});

const seen = (offsets: number[], until: number) =>
  offsets.map((offset) => ({
    date: day(offset),
    facility: 'Toronto',
    wanted: offset >= 21 && offset <= until,
    last_seen_at: ago(60),
  }));

/** Returns the price of a group: 38.00 per applicant, with a discount of 10.00. */
export const price = (people: number, over: Partial<Task['price']> = {}): Task['price'] => ({
  difference: null,
  unit_price: 38,
  discount: 10,
  applicants_count: people,
  total: 38 * people,
  on_hold: 38 * people,
  captured: 0,
  unpaid_remainder: 38 * people,
  currency: 'CAD',
  captured_at: null,
  original_unit_price: 48,
  total_discount: 10 * people,
  discount_lines: [{ type: 'personal', amount: 10 }],
  entitled_until: null,
  ...over,
});

export const charged = (people: number): Task['price'] =>
  price(people, {
    on_hold: 0,
    captured: 38 * people,
    unpaid_remainder: 0,
    captured_at: ago(60 * 24 * 16),
    entitled_until: new Date(Date.now() + 349 * 86_400_000).toISOString(),
  });

export const credentials = (
  username: string,
  health: Task['visa_credentials']['health'],
  sinceMinutes: number,
): Task['visa_credentials'] => ({
  username,
  health,
  health_since: ago(sinceMinutes),
  last_sign_in_at: ago(54),
  next_try_at: null,
  sign_ins_ten_hours: 3,
});

/** Adds the fields that the server derives to a task. */
const complete = (
  task: Omit<Task, 'actions' | 'stage' | 'latest_question'> & Partial<Pick<Task, 'actions' | 'stage' | 'latest_question'>>,
): Task => {
  const whole: Task = { latest_question: null, actions: {} as Task['actions'], stage: 'running', ...task };
  return { ...whole, actions: task.actions ?? actionsOf(whole), stage: stageOf(whole) };
};

export const task = (over: Partial<Task> & { id: string }): Task =>
  complete({
    status: 'active',
    status_reason: null,
    status_since: ago(60 * 24 * 22),
    auto_stopped: false,
    portal_schedule_id: '58213407',
    country_code: 'en-ca',
    visa_type: 'niv',
    visa_credentials: credentials('linzhixia@example.com', 'valid', 900),
    appointments: [appointment({})],
    schedule_config: {
      search_params: {
        start_date: day(21),
        end_date: day(127),
        required_cities: ['Ottawa', 'Toronto', 'Montreal'],
        excluded_dates: [
          ...Array.from({ length: 11 }, (_, n) => ({ type: '' as const, date: day(30 + n) })),
          ...Array.from({ length: 4 }, (_, n) => ({ type: '' as const, date: day(73 + n) })),
          { type: '' as const, date: day(85) },
        ],
        weekdays: [],
        earliest_time: null,
        latest_time: null,
        fingerprints: null,
        minimum_days_from_current: 7,
        min_improvement_days: 7,
        max_reschedules: 2,
        last_attempt_until: null,
      },
      booking_mode: 'auto',
      keep_current_appointment: false,
      asks_first_for_now: false,
      balance_total: 76,
      priority: null,
      version: 1,
    },
    monitoring_cities: ['Ottawa', 'Toronto', 'Montreal'],
    price: price(2),
    engine: {
      checks: 1204,
      last_check_at: ago(3),
      next_check_at: new Date(Date.now() + 672_000).toISOString(),
      slots_seen: 41,
      looks: { hour_used: 4, hour_limit: 6, hour_for_booking: 0, ten_hours_used: 19, ten_hours_limit: 40 },
      cities: [
        city('Ottawa', {
          last_answer_at: ago(41),
          listed_at: ago(41),
          earliest_listed: day(181),
          next_check_at: minutesAhead(19),
        }),
        city('Toronto', {
          last_answer_at: ago(3),
          listed_at: ago(3),
          earliest_listed: day(149),
          next_check_at: minutesAhead(31),
        }),
        city('Montreal', { last_answer_at: ago(72), listed_at: ago(72), next_check_at: minutesAhead(11.2) }),
      ],
      verdict: {
        code: 'watching',
        since: ago(3),
        reason: null,
        next_try_at: new Date(Date.now() + 672_000).toISOString(),
        evidence: {
          earliest_listed: { date: day(149), facility: 'Toronto', at: ago(3) },
          cities_seen: 3,
          days_after_window: 22,
        },
      },
    },
    seen_dates: seen([14, 51, 57, 73, 105, 135, 147, 149, 150, 156, 163, 168, 175, 181, 190, 198, 217, 224, 238], 127),
    earliest_seen: { date: day(149), facility: 'Toronto', seen_at: ago(3) },
    attempts_left: 3,
    reschedules_used: 0,
    change_deadline: null,
    success_history: [],
    version: 7,
    created_at: ago(60 * 24 * 22),
    updated_at: ago(3),
    submitted_at: ago(60 * 24 * 22),
    rating: null,
    rating_wanted: false,
    ...over,
  });

/** Returns a task with an open question about a date in Toronto. */
export const askingTask = (over: Partial<Task> & { id: string }, seconds = 110, date = day(60)): Task => {
  const one = task(over);
  one.schedule_config.booking_mode = 'ask';
  one.engine.verdict.evidence = {
    ...one.engine.verdict.evidence,
    asked: { facility: 'Toronto', date, until: ago(-seconds / 60) },
  };
  one.latest_question = {
    state: 'open',
    date,
    facility: 'Toronto',
    asked_at: ago(1),
    valid_until: ago(-seconds / 60),
    listed_at: ago(1),
  };
  one.stage = stageOf(one);
  return one;
};

const wonHistory = [
  {
    date: day(17),
    time: '07:30',
    toLocation: 'Vancouver',
    timestamp: ago(60 * 24 * 5),
    daysAdvanced: 60,
    fromDate: day(77),
    fingerprints: null,
  },
  {
    date: day(77),
    time: '09:00',
    toLocation: 'Vancouver',
    timestamp: ago(60 * 24 * 16),
    daysAdvanced: 99,
    fromDate: day(176),
    fingerprints: null,
  },
];

export const doneTask = task({
  id: '0193-done',
  status: 'stopped',
  status_reason: 'auto_stop',
  status_since: ago(60 * 24 * 5),
  auto_stopped: true,
  portal_schedule_id: '58190022',
  visa_credentials: credentials('zhaomingyuan@example.com', 'valid', 9000),
  appointments: [
    appointment({
      schedule_id: '58190022',
      ivr_account_number: '70220418',
      applicant_names: ['Zhao Mingyuan'],
      applicants_count: 1,
      appointment_date: day(17),
      appointment_time: '07:30',
      facility: 'Vancouver',
      visa_class: 'F-1 Student',
    }),
  ],
  price: charged(1),
  success_history: wonHistory,
  rating_wanted: true,
  attempts_left: 1,
  change_deadline: `${day(15)}T20:30:00Z`,
  seen_dates: [],
  earliest_seen: null,
  created_at: ago(60 * 24 * 28),
});

export const groups: VerifiedAppointment[] = [
  {
    ...appointment({
      schedule_id: '58301144',
      ivr_account_number: '14027735',
      applicant_names: ['Wang Jiaqi'],
      applicants_count: 1,
      appointment_date: day(203),
      appointment_time: '09:00',
      facility: 'Vancouver',
      visa_class: 'F-1 Student',
      is_tcn_yes: true,
    }),
    selectable: true,
    reason: null,
  },
  {
    ...appointment({
      schedule_id: '58299021',
      ivr_account_number: '14019902',
      applicant_names: ['Sun Haoran', 'Sun Yifei'],
      appointment_date: null,
      appointment_time: null,
      facility: null,
      status: 'schedule_appointment',
      payment_expiry_date: day(21),
    }),
    selectable: true,
    reason: null,
  },
  { ...appointment({}), selectable: false, reason: 'monitored_by_self' },
  {
    ...appointment({
      schedule_id: '58310001',
      ivr_account_number: null,
      applicant_names: ['Guo Meilin'],
      applicants_count: 1,
      appointment_date: null,
      appointment_time: null,
      facility: null,
      status: 'pay_visa_fee',
      payment_expiry_date: null,
    }),
    selectable: false,
    reason: 'pay_visa_fee',
  },
  {
    ...appointment({
      schedule_id: '58310444',
      ivr_account_number: '14030001',
      applicant_names: ['He Bowen'],
      applicants_count: 1,
      appointment_date: null,
      appointment_time: null,
      facility: null,
      status: 'schedule_appointment',
      payment_expiry_date: day(-25),
      visa_class: 'J-1 Exchange visitor',
    }),
    selectable: false,
    reason: 'fee_expired',
  },
];

const named = (name: string, over: Partial<Task> & { id: string }) =>
  task({
    appointments: [appointment({ applicant_names: [name], applicants_count: 1 })],
    price: price(1),
    ...over,
  });

const condition = (code: string, evidence = {}) => ({
  checks: 12,
  last_check_at: ago(9),
  next_check_at: null,
  slots_seen: 0,
  looks: { hour_used: 1, hour_limit: 6, hour_for_booking: 0, ten_hours_used: 9, ten_hours_limit: 40 },
  cities: [],
  verdict: { code, since: ago(9), reason: null, next_try_at: null, evidence },
});

/** Returns a condition with the reason that delays the next check, and the time of that check. */
const waiting = (code: string, reason: PollWait, until: string) => ({
  ...condition(code),
  next_check_at: until,
  verdict: { code, since: ago(60 * 7), reason, next_try_at: until, evidence: {} },
});

/** One task in each state, for pictures and component tests. */
export const stateTasks: Task[] = [
  named('Guo Meilin', {
    id: '0193-first',
    status: 'processing',
    status_since: ago(1),
    engine: { ...condition('waiting_first_look'), last_check_at: null, checks: 0 },
    seen_dates: [],
    earliest_seen: null,
  }),
  named('Sun Haoran', { id: '0193-paused', status: 'stopped', status_reason: 'by_user', engine: condition('paused') }),
  named('He Bowen', {
    id: '0193-rejected',
    status: 'error',
    status_reason: 'credentials_rejected',
    visa_credentials: credentials('hebowen@example.com', 'rejected', 30),
    engine: condition('credentials_rejected'),
  }),
  named('Ma Linan', {
    id: '0193-unknown',
    engine: condition('booking_unconfirmed', { target: { date: day(41), time: '08:15', facility: 'Toronto' } }),
  }),
  named('Tang Wei', {
    id: '0193-quiet',
    engine: { ...condition('restricted_hours'), next_check_at: new Date(Date.now() + 7_200_000).toISOString() },
  }),
  named('Luo Yan', { id: '0193-limit', engine: waiting('budget_rest', 'hour_limit', minutesAhead(34)) }),
  named('Fang Min', {
    id: '0193-silent',
    engine: {
      ...waiting('silent', 'host_back_off', minutesAhead(12)),
      last_check_at: ago(60 * 7),
      cities: [city('Toronto', { last_answer_at: ago(60 * 7), listed_at: ago(60 * 7), earliest_listed: day(149) })],
    },
  }),
];
