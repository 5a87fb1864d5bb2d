import type { Movement, Task, VerifiedGroup } from '../src/api/types.ts';
import { accounts } from './accounts.ts';
import { countries } from './countries.ts';
import { details } from './detail.ts';
import { sceneOf } from './scenes.ts';
import { security } from './security.ts';
import { ago } from './story.ts';
import { stats, system } from './system.ts';
import { tasks } from './tasks.ts';

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

/** The fake backend: an in-memory world of the mock's story. E-mail addresses choose the scene (scenes.ts). */
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
  const scene = sceneOf(email);
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

/** Tells everybody who listens that a task is not what it was. */
export function changed(world: World, id: string, deleted = false): void {
  world.version += 1;
  for (const tell of world.listeners) tell('task', { id, version: world.version, deleted });
  for (const tell of world.listeners) tell('credit', { version: world.version });
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
  if (path === '/status') return system(world);
  const early =
    security(world, method, path, body) ?? accounts(world, method, path, body, query) ?? money(world, method, path, body);
  if (early) return early;
  if (path === '/stats') return stats(world);
  const onTasks = details(world, path, query) ?? tasks(world, method, path, query, body);
  if (onTasks) return onTasks;
  return fail(404, 'NOT_FOUND', `no such call: ${method} ${path}`);
}
