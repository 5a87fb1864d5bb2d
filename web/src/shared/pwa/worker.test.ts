import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const ORIGIN = 'https://sooner.example.com';
/** Not by name: the worker's types are of another world (tsconfig.worker.json). */
const WORKER = '/src/shared/pwa/worker.ts';

interface Occasion {
  request?: Request | { method: string; mode: string; url: string; headers: Headers };
  waitUntil: (promise: Promise<unknown>) => void;
  respondWith: (answer: Promise<Response>) => void;
}

const preload = { enable: vi.fn(async () => undefined), disable: vi.fn(async () => undefined) };
let listeners: Record<string, (event: Occasion) => void>;

beforeEach(async () => {
  listeners = {};
  vi.resetModules();
  vi.stubGlobal('self', {
    location: { origin: ORIGIN },
    registration: { navigationPreload: preload },
    clients: { claim: async () => undefined },
    skipWaiting: async () => undefined,
    addEventListener: (name: string, listener: (event: Occasion) => void) => {
      listeners[name] = listener;
    },
  });
  vi.stubGlobal('caches', { keys: async () => [], match: async () => undefined });
  await import(/* @vite-ignore */ WORKER);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

/** Lets something happen to the worker; what it answered, and when it is done with it. */
async function happen(name: string, request?: Occasion['request']) {
  const waited: Promise<unknown>[] = [];
  const answers: Promise<Response>[] = [];
  listeners[name]?.({ request, waitUntil: (one) => waited.push(one), respondWith: (one) => answers.push(one) });
  await Promise.all(waited);
  return answers;
}

const navigation = (path: string) => ({ method: 'GET', mode: 'navigate', url: `${ORIGIN}${path}`, headers: new Headers() });

// spec: 10.14.02
it('takes navigation preload back, also from browsers that had it: an address of the API is good once', async () => {
  await happen('activate');
  expect(preload.disable).toHaveBeenCalledOnce();
  expect(preload.enable).not.toHaveBeenCalled();
});

it('asks once for a page, and not at all for an address of the API', async () => {
  const asked = vi.fn(async () => new Response('the page'));
  vi.stubGlobal('fetch', asked);
  const [answer] = await happen('fetch', navigation('/dashboard'));
  expect(await (await answer)?.text()).toBe('the page');
  expect(asked).toHaveBeenCalledOnce();
  expect(await happen('fetch', navigation('/api/v1/auth/google/callback?code=1&state=2'))).toEqual([]);
  expect(asked).toHaveBeenCalledOnce();
});
