import type { BookingMode, SearchParams, Task, VerifiedGroup } from '../src/shared/api/types.ts';
import { addDays, daysBetween } from '../src/shared/format/dates.ts';
import { actionsOf, stageOf } from './actions.ts';
import { type BodyOf, fail, type Handlers, ok } from './api.ts';
import { acceptGroup, beforeStart, beforeSubmit } from './money.ts';
import { day, groups, price, task } from './story.ts';
import { changed, type World } from './world.ts';

const UNIT = 38;

/** Time from an approval to the booking. */
const BOOKED_AFTER_MS = 3_000;

function verify(world: World, body: BodyOf<'POST /schedules/verify-credentials'>) {
  if (body.password.includes('wrong')) return fail(422, 'PORTAL_CREDENTIALS_REJECTED', 'Portal rejected the credentials');
  if (body.username.startsWith('taken'))
    return fail(409, 'SCHEDULE_ALREADY_EXISTS', 'exists', { owner: 'other', schedule_ids: [] });
  const schedules = groups.map(
    (group, index): VerifiedGroup => ({
      id: `0193-draft-${index}`,
      status: 'draft',
      portal_schedule_id: group.schedule_id,
      appointments: [group],
    }),
  );
  for (const group of schedules) world.drafts.set(group.id, group);
  return ok({ schedules, left_out: [], verified_at: new Date().toISOString() });
}

/**
 * Returns the result of a test of the booking steps: the first city has dates, the second has none.
 */
function check(world: World, id: string, { required_cities }: BodyOf<'POST /schedules/{id}/check'>) {
  if (!world.drafts.has(id)) return notFound();
  const city = (facility: string, index: number) => ({
    facility,
    offered: true,
    dates: index === 0 ? 12 : 0,
    earliest: index === 0 ? day(61) : null,
  });
  return ok({ form: 'understood' as const, attempts_left: 3, cities: required_cities.map(city) });
}

function configure(world: World, body: BodyOf<'POST /schedules/configure'>) {
  const draft = world.drafts.get(body.schedule_id);
  const group = draft?.appointments[0];
  if (!draft || !group) return fail(404, 'NOT_FOUND', 'not found');
  const params = body.search_params as SearchParams;
  const count = group.applicants_count;
  const fresh = task({
    id: draft.id,
    status: 'configured',
    appointments: [group],
    portal_schedule_id: draft.portal_schedule_id,
    price: price(count, { on_hold: 0 }),
    monitoring_cities: params.required_cities,
    seen_dates: [],
    earliest_seen: null,
  });
  fresh.schedule_config = {
    search_params: params,
    booking_mode: modeOf(body) ?? 'auto',
    keep_current_appointment: modeOf(body) === 'notify',
    asks_first_for_now: false,
    balance_total: UNIT * count,
    priority: null,
    version: 1,
  };
  world.tasks.set(fresh.id, fresh);
  return ok({ schedule: fresh, booking_under_way: null });
}

/**
 * Completes a change of a task: updates its actions and stage, increases its version, and notifies
 * listeners.
 */
function recordChange(world: World, entry: Task): void {
  entry.actions = actionsOf(entry);
  entry.stage = stageOf(entry);
  entry.version += 1;
  entry.updated_at = new Date().toISOString();
  changed(world, entry.id);
}

/**
 * Books the date if its question is still open, or if a late approval finds it listed. A *no* ends
 * the question.
 */
function approve(world: World, entry: Task, { facility, date, ...choice }: BodyOf<'POST /schedules/{id}/answer'>) {
  const { evidence } = entry.engine.verdict;
  const latest = entry.latest_question?.date === date ? entry.latest_question : null;
  const open = evidence?.asked?.facility === facility && evidence.asked.date === date;
  const declines = choice.answer === 'no' && open;
  const books = choice.answer !== 'no' && (open || (choice.late === true && !!latest?.listed_at));
  const state = declines ? ('declined' as const) : books ? ('trying' as const) : ('late' as const);
  if (evidence && open) evidence.asked = null;
  if (latest) latest.state = state;
  if (books) setTimeout(() => book(world, entry.id, { facility, date }), BOOKED_AFTER_MS);
  if (declines || books) recordChange(world, entry);
  return ok({
    state,
    schedule_id: entry.id,
    facility: facility as string,
    facility_zh: '多伦多',
    date: date as string,
    old: null,
    new: null,
    changes_left: 1,
    initials: ['Z. M.'],
    price: entry.price.total,
    valid_until: new Date().toISOString(),
  });
}

function rate(world: World, entry: Task, body: BodyOf<'POST /schedules/{id}/rating'>) {
  if (entry.success_history.length === 0) return fail(409, 'ILLEGAL_TRANSITION', 'no success', { reason: 'no_success_yet' });
  if (entry.rating) return fail(409, 'ALREADY_RATED', 'rated before');
  entry.rating_wanted = false;
  if (body.dismissed !== true)
    entry.rating = {
      stars: Number(body.stars),
      comment: body.comment ?? null,
      rated_at: new Date().toISOString(),
    };
  recordChange(world, entry);
  return ok({ schedule: entry, booking_under_way: underWay(entry) });
}

/** Returns the target of a sent booking whose outcome is unknown, or null. */
function underWay({ engine: { verdict } }: Task) {
  const { target } = verdict.evidence ?? {};
  return verdict.code === 'booking_unconfirmed' && target ? target : null;
}

export function book(world: World, id: string, at?: { facility: string; date: string }): void {
  const entry = world.tasks.get(id);
  const current = entry?.appointments[0];
  if (!entry || !current) return;
  const target = at?.date ?? addDays(entry.schedule_config.search_params.start_date, 12);
  const gained = current.appointment_date ? daysBetween(target, current.appointment_date) : null;
  const facility = at?.facility ?? entry.monitoring_cities[0] ?? 'Toronto';
  entry.status = 'active';
  entry.success_history = [
    {
      date: target,
      time: '09:15',
      toLocation: facility,
      timestamp: new Date().toISOString(),
      daysAdvanced: gained,
      fromDate: current.appointment_date,
      fingerprints: null,
    },
    ...entry.success_history,
  ];
  entry.appointments = [
    { ...current, appointment_date: target, appointment_time: '09:15', facility, status: 'attend_appointment' },
  ];
  entry.price = {
    ...entry.price,
    captured: entry.price.total,
    on_hold: 0,
    unpaid_remainder: 0,
    captured_at: new Date().toISOString(),
  };
  entry.engine = {
    ...entry.engine,
    verdict: {
      code: 'booked',
      since: new Date().toISOString(),
      reason: null,
      next_try_at: null,
      evidence: { target: { date: target, time: '09:15', facility } },
    },
  };
  entry.rating_wanted = true;
  world.onHold -= entry.price.total;
  recordChange(world, entry);
}

function submit(world: World, ids: string[]) {
  const chosen = ids.flatMap((id) => world.tasks.get(id) ?? []);
  const total = world.methods.billing ? chosen.reduce((sum, entry) => sum + entry.price.total, 0) : 0;
  if (total > world.credit)
    return fail(402, 'INSUFFICIENT_CREDIT', 'Insufficient balance', {
      required_amount: total,
      available_amount: world.credit,
      currency: 'CAD',
      details: '',
    });
  const before = world.credit;
  world.credit -= total;
  world.onHold += total;
  for (const entry of chosen) {
    entry.status = 'processing';
    entry.status_since = new Date().toISOString();
    entry.price.on_hold = entry.price.total;
    entry.engine = {
      checks: 0,
      last_check_at: null,
      next_check_at: null,
      slots_seen: 0,
      looks: null,
      cities: [],
      verdict: { code: 'waiting_first_look', since: new Date().toISOString(), reason: null, next_try_at: null, evidence: {} },
    };
    setTimeout(() => book(world, entry.id), 6_000);
    recordChange(world, entry);
  }
  if (!world.methods.billing) return ok({ cost_details: null, user_balance: null, schedules: chosen });
  const applicants = chosen.reduce((sum, entry) => sum + entry.price.applicants_count, 0);
  return ok({
    cost_details: {
      total_amount: total,
      currency: 'CAD',
      applicants_count: applicants,
      price_per_applicant: UNIT,
      schedule_breakdown: chosen.map((entry) => ({
        schedule_id: entry.id,
        applicants_count: entry.price.applicants_count,
        entitled_applicants: 0,
        base_price: entry.price.original_unit_price,
        discounts: entry.price.discount,
        discount_lines: entry.price.discount_lines,
        final_price_per_person: entry.price.unit_price,
        total_price: entry.price.total,
        currency: entry.price.currency,
      })),
    },
    user_balance: { balance_before: before, balance_after: world.credit, currency: 'CAD' },
    schedules: chosen,
  });
}

const notFound = () => fail(404, 'NOT_FOUND', 'not found');

function move(world: World, id: string, action: 'start' | 'stop') {
  const entry = world.tasks.get(id);
  if (!entry) return notFound();
  const { allowed, reason } = entry.actions[action];
  if (!allowed) return fail(409, 'ILLEGAL_TRANSITION', 'not now', { reason });
  entry.status = action === 'stop' ? 'stopped' : 'active';
  entry.status_reason = action === 'stop' ? 'by_user' : null;
  entry.auto_stopped = false;
  entry.status_since = new Date().toISOString();
  recordChange(world, entry);
  return ok({ schedule: entry, booking_under_way: underWay(entry) });
}

/** Returns the booking mode that a request sets. */
function modeOf(asked: {
  booking_mode?: BookingMode | null;
  keep_current_appointment?: boolean | null;
  appointment_management?: { keep_current_appointment?: boolean | null } | null;
}): BookingMode | null {
  const keep = asked.keep_current_appointment ?? asked.appointment_management?.keep_current_appointment;
  return asked.booking_mode ?? (keep == null ? null : keep ? 'notify' : 'auto');
}

/** Fields of a change besides the search criteria. */
interface Change {
  based_on?: number | null;
  booking_mode?: BookingMode | null;
  keep_current_appointment?: boolean | null;
}

function edit(world: World, id: string, change: Change, wanted: (params: SearchParams) => SearchParams) {
  const entry = world.tasks.get(id);
  if (!entry) return notFound();
  const { version, search_params, booking_mode } = entry.schedule_config;
  if (change.based_on != null && change.based_on !== version)
    return fail(409, 'SCHEDULE_CHANGED', 'changed elsewhere', { schedule: entry });
  entry.schedule_config = {
    ...entry.schedule_config,
    version: version + 1,
    search_params: wanted(search_params),
    booking_mode: modeOf(change) ?? booking_mode,
    keep_current_appointment: (modeOf(change) ?? booking_mode) === 'notify',
  };
  entry.monitoring_cities = entry.schedule_config.search_params.required_cities;
  recordChange(world, entry);
  return ok({ schedule: entry, booking_under_way: underWay(entry) });
}

function remove(world: World, id: string) {
  const entry = world.tasks.get(id);
  if (!entry) return notFound();
  world.tasks.delete(id);
  world.credit += entry.price.on_hold;
  world.onHold -= entry.price.on_hold;
  changed(world, id, true);
  const booking_under_way = underWay(entry);
  return ok({ released_amount: booking_under_way ? 0 : entry.price.on_hold, currency: 'CAD', booking_under_way });
}

/** Returns a task with its stage updated. */
const withStage = (entry: Task): Task => Object.assign(entry, { stage: stageOf(entry) });

function list(world: World, query: URLSearchParams) {
  const wanted = query.get('status')?.split(',');
  const order = query.get('sort') ?? 'submitted';
  const page = Number(query.get('page') ?? 1);
  const size = Number(query.get('page_size') ?? 20);
  const fitting = [...world.tasks.values()]
    .map(withStage)
    .filter((entry) => !wanted || wanted.includes(entry.status) || wanted.includes(entry.stage));
  const key = (entry: Task) =>
    (order === 'appointment' ? entry.appointments[0]?.appointment_date : entry.engine.next_check_at) ?? '~';
  if (order !== 'submitted') fitting.sort((a, b) => key(a).localeCompare(key(b)));
  return ok({ schedules: fitting.slice((page - 1) * size, page * size), page, page_size: size, total: fitting.length });
}

/** Handlers of tasks. */
export const tasks: Handlers = {
  'GET /schedules': ({ world, query }) => list(world, query),
  'GET /schedules/{id}/status': ({ world, id }) => {
    const entry = world.tasks.get(id);
    return entry ? ok({ schedule: withStage(entry), monitoring_cities: entry.monitoring_cities }) : notFound();
  },
  'POST /schedules/verify-credentials': ({ world, body }) => verify(world, body),
  'POST /schedules/{id}/check': ({ world, id, body }) => check(world, id, body),
  'POST /schedules/configure': ({ world, body }) => configure(world, body),
  'POST /schedules/submit': ({ world, body }) => beforeSubmit(world, body) ?? submit(world, body.schedule_ids ?? []),
  'POST /schedules/{id}/start': ({ world, id, body }) => beforeStart(world, id, body) ?? move(world, id, 'start'),
  'POST /schedules/{id}/stop': ({ world, id }) => move(world, id, 'stop'),
  'POST /schedules/{id}/accept-group': ({ world, id, body }) => acceptGroup(world, id, body),
  'POST /schedules/{id}/rating': ({ world, id, body }) => {
    const entry = world.tasks.get(id);
    return entry ? rate(world, entry, body) : notFound();
  },
  'POST /schedules/{id}/answer': ({ world, id, body }) => {
    const entry = world.tasks.get(id);
    return entry ? approve(world, entry, body) : notFound();
  },
  'PUT /schedules/{id}': ({ world, id, body }) =>
    edit(world, id, body, (params) => (body.search_params as SearchParams | undefined) ?? params),
  'PUT /schedules/{id}/facilities': ({ world, id, body }) =>
    edit(world, id, body, (params) => ({ ...params, required_cities: body.required_cities })),
  'DELETE /schedules/{id}': ({ world, id }) => remove(world, id),
};
