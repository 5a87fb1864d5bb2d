import type { Movement, SearchParams, Task, VerifiedGroup } from '../src/api/types.ts';
import { addDays, daysBetween } from '../src/lib/dates.ts';
import { accounts } from './accounts.ts';
import { countries } from './countries.ts';
import { security } from './security.ts';
import { ago, day, doneTask, groups, stateTasks, task } from './story.ts';

export interface World {
  email: string;
  tasks: Map<string, Task>;
  drafts: Map<string, VerifiedGroup>;
  credit: number;
  onHold: number;
  movements: Movement[];
  autoStop: boolean;
  language: 'en' | 'zh';
  mails: { id: string; to: string; subject: string; text: string; html: string }[];
  unconfirmed: Set<string>;
  version: number;
  listeners: Set<(event: string, data: unknown) => void>;
}

export type Body = Record<string, unknown>;
export type Answer = { status: number; body: unknown; headers?: Record<string, string> };

const UNIT = 38;
export const ok = (data: unknown): Answer => ({ status: 200, body: { success: true, data, error: null } });
export const fail = (status: number, code: string, message: string, data: unknown = null): Answer => ({
  status,
  body: { success: false, data, error: { code, message } },
});

/** The fake backend: an in-memory world of the mock's story. E-mail addresses choose the scene: empty@, states@, anything else. */
export function createWorld(): World {
  return {
    email: 'linzhixia@example.com',
    tasks: new Map(),
    drafts: new Map(),
    credit: 46,
    onHold: 76,
    movements: [],
    autoStop: false,
    language: 'zh',
    mails: [],
    unconfirmed: new Set(),
    version: 1,
    listeners: new Set(),
  };
}

export function seed(world: World, email: string): void {
  world.email = email;
  world.tasks.clear();
  const scene =
    email.startsWith('empty') || email.startsWith('e2e')
      ? []
      : email.startsWith('states')
        ? stateTasks
        : [task({ id: '0193-on' }), doneTask];
  for (const entry of scene) world.tasks.set(entry.id, structuredClone(entry));
  world.credit = email.startsWith('rich') ? 246 : 46;
  world.onHold = scene.reduce((sum, entry) => sum + entry.price.on_hold, 0);
  world.movements = [
    {
      id: 'm3',
      kind: 'capture',
      amount: 0,
      currency: 'CAD',
      at: ago(60 * 24 * 16),
      source: 'task',
      schedule_id: null,
      note: '38.00',
    },
    {
      id: 'm2',
      kind: 'hold',
      amount: -76,
      currency: 'CAD',
      at: ago(60 * 24 * 22),
      source: 'task',
      schedule_id: null,
      note: null,
    },
    {
      id: 'm1',
      kind: 'topup',
      amount: 100,
      currency: 'CAD',
      at: ago(60 * 24 * 22 + 6),
      source: 'topup_code',
      schedule_id: null,
      note: null,
    },
  ];
}

function changed(world: World, id: string, deleted = false): void {
  world.version += 1;
  for (const tell of world.listeners) tell('task', { id, version: world.version, deleted });
  for (const tell of world.listeners) tell('credit', { version: world.version });
}

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
    price: {
      unit_price: UNIT,
      discount: 10,
      applicants_count: count,
      total: UNIT * count,
      on_hold: 0,
      captured: 0,
      unpaid_remainder: UNIT * count,
      currency: 'CAD',
      captured_at: null,
    },
    monitoring_cities: params.required_cities,
    seen_dates: [],
    earliest_seen: null,
  });
  fresh.schedule_config = {
    search_params: params,
    keep_current_appointment: Boolean((body.appointment_management as Body)?.keep_current_appointment),
    balance_total: UNIT * count,
    priority: null,
  };
  world.tasks.set(fresh.id, fresh);
  return ok({ schedule: fresh });
}

function book(world: World, id: string): void {
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
  world.onHold -= entry.price.total;
  changed(world, id);
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
      verdict: { code: 'waiting_first_look', since: new Date().toISOString(), next_try_at: null, evidence: {} },
    };
    setTimeout(() => book(world, entry.id), 6_000);
    changed(world, entry.id);
  }
  const applicants = chosen.reduce((sum, entry) => sum + entry.price.applicants_count, 0);
  return ok({
    cost_details: {
      total_amount: total,
      currency: 'CAD',
      applicants_count: applicants,
      price_per_applicant: UNIT,
      schedule_breakdown: [],
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
  if (action === 'stop' || action === 'start') {
    entry.status = action === 'stop' ? 'stopped' : 'active';
    entry.status_reason = action === 'stop' ? 'by_user' : null;
    entry.auto_stopped = false;
    entry.status_since = new Date().toISOString();
  } else if (method === 'PUT') {
    const params = (body.search_params as SearchParams | undefined) ?? {
      ...entry.schedule_config.search_params,
      required_cities: body.required_cities as string[],
    };
    entry.schedule_config = {
      ...entry.schedule_config,
      search_params: params,
      keep_current_appointment: Boolean(body.keep_current_appointment ?? entry.schedule_config.keep_current_appointment),
    };
    entry.monitoring_cities = params.required_cities;
  }
  if (method !== 'GET') changed(world, id);
  if (action === 'success-history') return ok(entry.success_history);
  return ok({ schedule: entry, monitoring_cities: entry.monitoring_cities });
}

function money(world: World, method: string, path: string, body: Body): Answer | null {
  if (path === '/users/credit') return ok({ credit: world.credit, on_hold: world.onHold, currency: 'CAD' });
  if (path === '/users/ledger') return ok({ movements: world.movements, page: 1, page_size: 5, total: world.movements.length });
  if (path === '/pricing/calculate')
    return ok({
      calculation: {
        base_price: 48,
        user_group_discount: 0,
        personal_discount: 10,
        promo_code_discount: 0,
        user_specific_price: UNIT,
        currency: 'CAD',
      },
      unit_price: UNIT,
      total_price: UNIT,
      discount_amount: 10,
      original_price: 48,
      currency: 'CAD',
    });
  if (path === '/pricing/plans') return ok({ plans: [{ id: 'p1', name: 'standard', unit_price: 48, currency: 'CAD' }] });
  if (path === '/support')
    return ok({ wechat_id: 'sooner-help', email: 'help@sooner.example', xiaohongshu_id: null, hours: '9am-11pm EDT' });
  const code = String(body.code ?? '');
  if (path === '/topup/validate') return ok({ valid: code.endsWith('0') });
  if (path === '/topup/use' && method === 'POST') {
    if (!code.endsWith('0')) return fail(404, 'TOPUP_CODE_INVALID', 'Invalid topup code');
    const before = world.credit;
    world.credit += 100;
    world.movements.unshift({
      id: `m${Date.now()}`,
      kind: 'topup',
      amount: 100,
      currency: 'CAD',
      at: new Date().toISOString(),
      source: 'topup_code',
      schedule_id: null,
      note: null,
    });
    changed(world, '-');
    return ok({ message: 'ok', amount: 100, currency: 'CAD', balance_before: before, balance_after: world.credit });
  }
  return null;
}

/** Answers one call of the API from the world. `path` is without /api/v1. */
export function handle(world: World, method: string, path: string, query: URLSearchParams, body: Body): Answer {
  if (path === '/facilities') return ok({ countries });
  if (path === '/status')
    return ok({
      portal: { state: 'ok', last_answer_at: ago(1) },
      engine: { active: true, last_look_at: ago(2), looks_last_hour: 42 },
      demo: world.email.startsWith('rich'),
      currency: 'CAD',
    });
  const early =
    security(world, method, path, body) ?? accounts(world, method, path, body, query) ?? money(world, method, path, body);
  if (early) return early;
  if (path === '/stats') {
    const won = [...world.tasks.values()].filter((entry) => entry.success_history.length > 0).length;
    return ok({
      checks_total: world.tasks.size ? 2061 : 0,
      days_saved: won ? 159 : 0,
      success_rate: world.tasks.size ? won / world.tasks.size : null,
      active: [...world.tasks.values()].filter((entry) => ['active', 'processing', 'submitted'].includes(entry.status)).length,
      tasks_submitted: world.tasks.size,
      tasks_succeeded: won,
    });
  }
  if (path === '/schedules') {
    const wanted = query.get('status')?.split(',');
    const schedules = [...world.tasks.values()].filter((entry) => !wanted || wanted.includes(entry.status));
    return ok({ schedules, page: 1, page_size: 20, total: schedules.length });
  }
  if (path === '/schedules/verify-credentials') return verify(world, body);
  if (path === '/schedules/configure') return configure(world, body);
  if (path === '/schedules/submit') return submit(world, body);
  const match = /^\/schedules\/([^/]+)(?:\/([a-z-]+))?$/.exec(path);
  if (match?.[1]) return onTask(world, method, match[1], match[2], body);
  return fail(404, 'NOT_FOUND', `no such call: ${method} ${path} ${day(0)}`);
}
