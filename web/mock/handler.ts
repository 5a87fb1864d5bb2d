import { accounts, mistyped } from './accounts.ts';
import { type Answer, type Body, fail, router } from './api.ts';
import { cards } from './cards.ts';
import { channels } from './channels.ts';
import { countries } from './countries.ts';
import { details } from './detail.ts';
import { money, moneyOf } from './money.ts';
import { notifications } from './notified.ts';
import { notBilled, owned } from './owned.ts';
import { verification } from './progress.ts';
import { refunds } from './refunds.ts';
import { proofRefusal, security } from './security.ts';
import { system } from './system.ts';
import { tasks } from './tasks.ts';
import type { World } from './world.ts';

/** All handlers of the fake backend. */
export const handlers = {
  ...accounts,
  ...cards,
  ...channels,
  ...countries,
  ...details,
  ...money,
  ...notifications,
  ...owned,
  ...refunds,
  ...security,
  ...system,
  ...tasks,
  ...verification,
};
const answer = router(handlers);

/** Answers one API request. `path` does not contain /api/v1. */
export function handle(world: World, method: string, path: string, query: URLSearchParams, body: Body): Answer {
  if (moneyOf(world).broken.has(path)) return fail(500, 'INTERNAL', 'An unexpected error occurred');
  const free = notBilled(world, path);
  if (free) return free;
  const line = `${method} ${path}`;
  return proofRefusal(world, line, body) ?? mistyped(body) ?? answer(world, line, query, body);
}
