import type { SignInMethods, Task, VerifiedGroup } from '../src/shared/api/types.ts';
import { sceneOf } from './scenes.ts';

export interface World {
  email: string;
  /** What the server offers; MOCK of the environment names others for `npm run dev:mock` (plugin.ts). */
  methods: SignInMethods;
  tasks: Map<string, Task>;
  drafts: Map<string, VerifiedGroup>;
  credit: number;
  onHold: number;
  autoStop: boolean;
  /** What they want to be called. */
  name: string | null;
  language: 'en' | 'zh';
  mails: { id: string; to: string; subject: string; text: string; html: string }[];
  unconfirmed: Set<string>;
  version: number;
  listeners: Set<(event: string, data: unknown) => void>;
}

/** An in-memory world of the mock's story. E-mail addresses choose the scene (scenes.ts). */
export function createWorld(): World {
  return {
    email: 'linzhixia@example.com',
    methods: { google: true, mail: true, registration: 'open', billing: true, link: false },
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
  world.onHold = scene.reduce((sum, entry) => sum + entry.price.on_hold, 0);
}

/** Tells everybody who listens that a task is not what it was. */
export function changed(world: World, id: string, deleted = false): void {
  world.version += 1;
  for (const tell of world.listeners) tell('task', { id, version: world.version, deleted });
  for (const tell of world.listeners) tell('credit', { version: world.version });
}
