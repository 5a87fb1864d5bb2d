import type { SignInMethods, Task, VerifiedGroup } from '../src/shared/api/types.ts';
import { sceneOf } from './scenes.ts';

export interface World {
  email: string;
  /**
   * Sign-in methods of the server. MOCK=free,closed,own changes them for `npm run dev:mock`
   * (plugin.ts).
   */
  methods: SignInMethods;
  tasks: Map<string, Task>;
  drafts: Map<string, VerifiedGroup>;
  credit: number;
  onHold: number;
  autoStop: boolean;
  /** Display name of the user. */
  name: string | null;
  language: 'en' | 'zh';
  mails: { id: string; to: string; subject: string; text: string; html: string }[];
  unconfirmed: Set<string>;
  version: number;
  listeners: Set<(event: string, data: unknown) => void>;
}

/** Returns the price of a task on a server that charges nothing. */
const FREE = (price: Task['price']): Task['price'] => ({
  ...price,
  unit_price: 0,
  original_unit_price: 0,
  discount: 0,
  discount_lines: [],
  total: 0,
  total_discount: 0,
  on_hold: 0,
  captured: 0,
  unpaid_remainder: 0,
  difference: price.difference && { ...price.difference, amount: 0 },
});

/**
 * Creates the state of the fake backend, in memory. The mail address of the user chooses the scene
 * (scenes.ts).
 */
export function createWorld(): World {
  return {
    email: 'linzhixia@example.com',
    methods: { google: true, mail: true, passkeys: true, registration: 'open', billing: true, link: false },
    tasks: new Map(),
    drafts: new Map(),
    credit: 46,
    onHold: 76,
    autoStop: false,
    name: null,
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
  if (!world.methods.billing) for (const entry of world.tasks.values()) entry.price = FREE(entry.price);
  world.onHold = scene.reduce((sum, entry) => sum + entry.price.on_hold, 0);
}

/** Notifies all listeners that a task has changed. */
export function changed(world: World, id: string, deleted = false): void {
  world.version += 1;
  for (const tell of world.listeners) tell('task', { id, version: world.version, deleted });
  for (const tell of world.listeners) tell('credit', { version: world.version });
}
