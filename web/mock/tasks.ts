import type { SearchParams, Task, VerifiedGroup } from '../src/shared/api/types.ts';
import { addDays, daysBetween } from '../src/shared/format/dates.ts';
import { actionsOf } from './actions.ts';
import { type Answer, type Body, changed, fail, ok, type World } from './handler.ts';
import { groups, price, task } from './story.ts';

const UNIT = 38;

function verify(world: World, body: Body): Answer {
  if (String(body.password).includes('wrong')) return fail(422, 'PORTAL_CREDENTIALS_REJECTED', 'Portal rejected the credentials');
  if (String(body.username).startsWith('taken'))
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
  return ok({ schedules, verified_at: new Date().toISOString() });
}

function configure(world: World, body: Body): Answer {
  const draft = world.drafts.get(String(body.schedule_id));
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
    keep_current_appointment: Boolean((body.appointment_management as Body)?.keep_current_appointment),
    balance_total: UNIT * count,
    priority: null,
    version: 1,
  };
  world.tasks.set(fresh.id, fresh);
  return ok({ schedule: fresh });
}

/** A change of a task: what may be done with it follows, its version grows, listeners are told. */
function touch(world: World, entry: Task): void {
  entry.actions = actionsOf(entry);
  entry.version += 1;
  entry.updated_at = new Date().toISOString();
  changed(world, entry.id);
}

function rate(world: World, entry: Task, body: Body): Answer {
  if (entry.success_history.length === 0) return fail(409, 'ILLEGAL_TRANSITION', 'no success', { reason: 'no_success_yet' });
  if (entry.rating) return fail(409, 'ALREADY_RATED', 'rated before');
  entry.rating_wanted = false;
  if (body.dismissed !== true)
    entry.rating = {
      stars: Number(body.stars),
      comment: (body.comment as string | undefined) ?? null,
      rated_at: new Date().toISOString(),
    };
  touch(world, entry);
  return ok({ schedule: entry });
}

export function book(world: World, id: string): void {
  const entry = world.tasks.get(id);
  const current = entry?.appointments[0];
  if (!entry || !current) return;
  const target = addDays(entry.schedule_config.search_params.start_date, 12);
  const gained = current.appointment_date ? daysBetween(target, current.appointment_date) : null;
  const facility = entry.monitoring_cities[0] ?? 'Toronto';
  entry.status = 'active';
  entry.success_history = [
    {
      date: target,
      time: '09:15',
      toLocation: facility,
      timestamp: new Date().toISOString(),
      daysAdvanced: gained,
      fromDate: current.appointment_date,
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
      next_try_at: null,
      evidence: { target: { date: target, time: '09:15', facility } },
    },
  };
  entry.rating_wanted = true;
  world.onHold -= entry.price.total;
  touch(world, entry);
}

function submit(world: World, body: Body): Answer {
  const ids = (body.schedule_ids as string[]) ?? [];
  const chosen = ids.flatMap((id) => world.tasks.get(id) ?? []);
  const total = chosen.reduce((sum, entry) => sum + entry.price.total, 0);
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
      verdict: { code: 'waiting_first_look', since: new Date().toISOString(), next_try_at: null, evidence: {} },
    };
    setTimeout(() => book(world, entry.id), 6_000);
    touch(world, entry);
  }
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
        base_price: entry.price.original_unit_price,
        discounts: entry.price.discount,
        discount_lines: entry.price.discount_lines,
        final_price_per_person: entry.price.unit_price,
        total_price: entry.price.total,
      })),
    },
    user_balance: { balance_before: before, balance_after: world.credit, currency: 'CAD' },
    schedules: chosen,
  });
}

function onTask(world: World, method: string, id: string, action: string | undefined, body: Body): Answer {
  const entry = world.tasks.get(id);
  if (!entry) return fail(404, 'NOT_FOUND', 'not found');
  if (method === 'DELETE') {
    world.tasks.delete(id);
    world.credit += entry.price.on_hold;
    world.onHold -= entry.price.on_hold;
    changed(world, id, true);
    return ok({ released_amount: entry.price.on_hold, currency: 'CAD' });
  }
  if (action === 'rating') return rate(world, entry, body);
  if (action === 'stop' || action === 'start') {
    const { allowed, reason } = entry.actions[action];
    if (!allowed) return fail(409, 'ILLEGAL_TRANSITION', 'not now', { reason });
    entry.status = action === 'stop' ? 'stopped' : 'active';
    entry.status_reason = action === 'stop' ? 'by_user' : null;
    entry.auto_stopped = false;
    entry.status_since = new Date().toISOString();
  } else if (method === 'PUT') {
    const { version } = entry.schedule_config;
    if (body.based_on !== undefined && body.based_on !== version) {
      return fail(409, 'SCHEDULE_CHANGED', 'changed elsewhere', { schedule: entry });
    }
    const params = (body.search_params as SearchParams | undefined) ?? {
      ...entry.schedule_config.search_params,
      required_cities: body.required_cities as string[],
    };
    entry.schedule_config = {
      ...entry.schedule_config,
      version: version + 1,
      search_params: params,
      keep_current_appointment: Boolean(body.keep_current_appointment ?? entry.schedule_config.keep_current_appointment),
    };
    entry.monitoring_cities = params.required_cities;
  }
  if (method !== 'GET') touch(world, entry);
  if (action === 'success-history') return ok(entry.success_history);
  return ok({ schedule: entry, monitoring_cities: entry.monitoring_cities });
}

function list(world: World, query: URLSearchParams): Answer {
  const wanted = query.get('status')?.split(',');
  const page = Number(query.get('page') ?? 1);
  const size = Number(query.get('page_size') ?? 20);
  const fitting = [...world.tasks.values()].filter((entry) => !wanted || wanted.includes(entry.status));
  return ok({ schedules: fitting.slice((page - 1) * size, page * size), page, page_size: size, total: fitting.length });
}

/** The task routes of the fake backend. */
export function tasks(world: World, method: string, path: string, query: URLSearchParams, body: Body): Answer | null {
  if (path === '/schedules') return list(world, query);
  if (path === '/schedules/verify-credentials') return verify(world, body);
  if (path === '/schedules/configure') return configure(world, body);
  if (path === '/schedules/submit') return submit(world, body);
  const match = /^\/schedules\/([^/]+)(?:\/([a-z-]+))?$/.exec(path);
  return match?.[1] ? onTask(world, method, match[1], match[2], body) : null;
}
