import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const ORIGIN = 'https://sooner.example.com';
/**
 * Path of the worker. It is imported by a variable, because TypeScript must not check it with the
 * types of a page (tsconfig.worker.json).
 */
const WORKER = '/src/shared/pwa/worker.ts';

interface Occasion {
  data?: { text: () => string };
  notification?: { data: unknown; close: () => void };
  action?: string;
  oldSubscription?: { options: { applicationServerKey: ArrayBuffer } };
  request?: Request | { method: string; mode: string; url: string; headers: Headers };
  waitUntil: (promise: Promise<unknown>) => void;
  respondWith: (answer: Promise<Response>) => void;
  addRoutes?: (rule: object) => Promise<void>;
}

const preload = { enable: vi.fn(async () => undefined), disable: vi.fn(async () => undefined) };
const showNotification = vi.fn(async () => undefined);
const subscribe = vi.fn(async () => undefined);
const openWindow = vi.fn(async () => null);
const focus = vi.fn(async () => undefined);
let listeners: Record<string, (event: Occasion) => void>;

beforeEach(async () => {
  listeners = {};
  vi.resetModules();
  vi.stubGlobal('self', {
    location: { origin: ORIGIN },
    registration: { navigationPreload: preload, showNotification, pushManager: { subscribe } },
    clients: {
      claim: async () => undefined,
      matchAll: async () => [{ url: `${ORIGIN}/schedule/t1`, focus }],
      openWindow,
    },
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

/**
 * Dispatches an event to the worker. Returns the worker's response, and a promise for the end of
 * its work.
 */
async function happen(name: string, request?: Occasion['request'], more: Partial<Occasion> = {}) {
  const waited: Promise<unknown>[] = [];
  const answers: Promise<Response>[] = [];
  listeners[name]?.({ ...more, request, waitUntil: (one) => waited.push(one), respondWith: (one) => answers.push(one) });
  await Promise.all(waited);
  return answers;
}

const navigation = (path: string) => ({ method: 'GET', mode: 'navigate', url: `${ORIGIN}${path}`, headers: new Headers() });

// spec: 10.14.02
it('disables navigation preload, also in browsers that had it, because an API address is valid once', async () => {
  await happen('activate');
  expect(preload.disable).toHaveBeenCalledOnce();
  expect(preload.enable).not.toHaveBeenCalled();
});

it.each([true, false])('lets API requests bypass the worker if the browser supports it: %s', async (can) => {
  vi.stubGlobal('caches', { open: async () => ({ add: async () => undefined }) });
  // Outside of a browser `Request` accepts no relative address.
  vi.stubGlobal('Request', class {});
  const addRoutes = vi.fn(async (_: object) => undefined);
  await happen('install', undefined, can ? { addRoutes } : {});
  expect(addRoutes.mock.calls).toEqual(can ? [[{ condition: { urlPattern: { pathname: '/api/*' } }, source: 'network' }]] : []);
});

it('requests a page once, and does not request an API address', async () => {
  const asked = vi.fn(async () => new Response('the page'));
  vi.stubGlobal('fetch', asked);
  const [answer] = await happen('fetch', navigation('/dashboard'));
  expect(await (await answer)?.text()).toBe('the page');
  expect(asked).toHaveBeenCalledOnce();
  expect(await happen('fetch', navigation('/api/v1/auth/google/callback?code=1&state=2'))).toEqual([]);
  expect(asked).toHaveBeenCalledOnce();
});

it('shows a push message, and a tap focuses its page or opens it', async () => {
  const text = () => JSON.stringify({ title: '约到了', body: '多伦多', url: `${ORIGIN}/schedule/t1`, event: 'booked', tag: 'a' });
  await happen('push', undefined, { data: { text } });
  const shown = { body: '多伦多', tag: 'a', requireInteraction: false, data: '/schedule/t1' };
  expect(showNotification).toHaveBeenCalledWith('约到了', expect.objectContaining(shown));
  const close = vi.fn();
  await happen('notificationclick', undefined, { notification: { data: '/schedule/t1', close } });
  expect([close.mock.calls.length, focus.mock.calls.length, openWindow.mock.calls.length]).toEqual([1, 1, 0]);
  await happen('notificationclick', undefined, { notification: { data: '/settings', close } });
  expect(openWindow).toHaveBeenCalledWith(`${ORIGIN}/settings`);
});

// spec: 10.1.60
it('declines a question by its button at once; the other button and a late answer open its page', async () => {
  const page = '/auth/answer?token=abc';
  const payload = { title: '要改约吗', url: `${ORIGIN}${page}`, event: 'ask_first', answers: { yes: '要', no: '不要' } };
  await happen('push', undefined, { data: { text: () => JSON.stringify(payload) } });
  const actions = [
    { action: 'yes', title: '要' },
    { action: 'no', title: '不要' },
  ];
  expect(showNotification).toHaveBeenCalledWith('要改约吗', expect.objectContaining({ actions, data: page }));
  let state: string | null = 'declined';
  const asked = vi.fn(async (_: string, request: RequestInit) => {
    expect(request.body).toBe(JSON.stringify({ token: 'abc', answer: 'no' }));
    if (state === null) throw new TypeError('offline');
    return Response.json({ data: { state } });
  });
  vi.stubGlobal('fetch', asked);
  const press = (action: string) =>
    happen('notificationclick', undefined, { action, notification: { data: page, close: () => undefined } });
  await press('yes');
  expect([asked.mock.calls.length, openWindow.mock.calls.length]).toEqual([0, 1]);
  await press('no');
  expect([asked.mock.calls.length, openWindow.mock.calls.length]).toEqual([1, 1]);
  expect(asked.mock.calls[0]?.[0]).toBe('/api/v1/questions/answer');
  for (state of ['booked', null]) await press('no');
  expect(openWindow.mock.calls.slice(1)).toEqual([[`${ORIGIN}${page}`], [`${ORIGIN}${page}`]]);
});

it('subscribes again with the same key when the push service ends a subscription', async () => {
  const applicationServerKey = new ArrayBuffer(65);
  await happen('pushsubscriptionchange', undefined, { oldSubscription: { options: { applicationServerKey } } });
  expect(subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey });
});
