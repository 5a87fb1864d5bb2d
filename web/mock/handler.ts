import type { Task, VerifiedGroup } from '../src/shared/api/types.ts';
import { accounts } from './accounts.ts';
import { countries } from './countries.ts';
import { details } from './detail.ts';
import { money } from './money.ts';
import { sceneOf } from './scenes.ts';
import { security } from './security.ts';
import { stats, system, systemHistory } from './system.ts';
import { tasks } from './tasks.ts';

export interface World {
  email: string;
  tasks: Map<string, Task>;
  drafts: Map<string, VerifiedGroup>;
  credit: number;
  onHold: number;
  autoStop: boolean;
  language: 'en' | 'zh';
  mails: { id: string; to: string; subject: string; text: string; html: string }[];
  unconfirmed: Set<string>;
  version: number;
  listeners: Set<(event: string, data: unknown) => void>;
}

export type Body = Record<string, unknown>;
export type Answer = { status: number; body: unknown; headers?: Record<string, string> };

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
}

/** Tells everybody who listens that a task is not what it was. */
export function changed(world: World, id: string, deleted = false): void {
  world.version += 1;
  for (const tell of world.listeners) tell('task', { id, version: world.version, deleted });
  for (const tell of world.listeners) tell('credit', { version: world.version });
}

/** Answers one call of the API from the world. `path` is without /api/v1. */
export function handle(world: World, method: string, path: string, query: URLSearchParams, body: Body): Answer {
  if (path === '/facilities') return ok({ countries });
  if (path === '/status') return system(world);
  if (path === '/status/history') return systemHistory(world);
  const early =
    security(world, method, path, body) ?? accounts(world, method, path, body, query) ?? money(world, method, path, body, query);
  if (early) return early;
  if (path === '/stats') return stats(world);
  const onTasks = details(world, path, query) ?? tasks(world, method, path, query, body);
  if (onTasks) return onTasks;
  return fail(404, 'NOT_FOUND', `no such call: ${method} ${path}`);
}
