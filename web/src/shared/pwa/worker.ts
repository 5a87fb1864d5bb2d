// The service worker: an offline page of our own, and the files of a build from the disk. It keeps nothing that is anybody's,
// and never sees the API (ADR 27). vite.worker.config.ts puts the offline page's checksum in.
import { shownOf } from './pushed.ts';
import { isGateway, isWhole, reactionTo } from './reaction.ts';

declare const self: ServiceWorkerGlobalScope;

/** Static routing, of which the types know nothing yet. */
interface Routed {
  addRoutes?: (rule: object) => Promise<void>;
}

const OFFLINE = '/offline';
/** A new offline page gets a new cache. */
const PAGES = 'sooner-offline-__CHECKSUM__';
/** Names of files carry the checksum of what is in them: one cache serves every build. */
const FILES = 'sooner-files';
/** More than one build has, less than two. */
const MOST_FILES = 240;

async function keepOfflinePage(): Promise<void> {
  const cache = await caches.open(PAGES);
  await cache.add(new Request(OFFLINE, { cache: 'reload' }));
}

async function begin(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== PAGES && name !== FILES).map((name) => caches.delete(name)));
  // With it a browser asks twice for a navigation that the worker leaves alone, and throws the first answer away: the address
  // Google sends people back to is good once. Not merely left out, for browsers that had it remember it.
  await self.registration.navigationPreload?.disable();
  await self.clients.claim();
}

async function offlinePage(): Promise<Response | undefined> {
  const kept = await caches.match(OFFLINE, { cacheName: PAGES, ignoreVary: true });
  // Not the page that was asked for: nothing may take it for that one.
  return kept && new Response(kept.body, { status: 503, headers: kept.headers });
}

async function page(request: Request): Promise<Response> {
  try {
    const answer = await fetch(request);
    return isGateway(answer) ? ((await offlinePage()) ?? answer) : answer;
  } catch (error) {
    const instead = await offlinePage();
    if (!instead) throw error;
    return instead;
  }
}

async function keep(cache: Cache, request: Request, answer: Response): Promise<void> {
  await cache.put(request, answer);
  const known = await cache.keys();
  // The oldest come first.
  await Promise.all(known.slice(0, Math.max(0, known.length - MOST_FILES)).map((one) => cache.delete(one)));
}

async function file(event: FetchEvent): Promise<Response> {
  // A full disk or blocked storage must not cost the page its files.
  const cache = await caches.open(FILES).catch(() => undefined);
  const kept = await cache?.match(event.request, { ignoreVary: true }).catch(() => undefined);
  if (kept) return kept;
  const answer = await fetch(event.request);
  if (cache && isWhole(answer)) event.waitUntil(keep(cache, event.request, answer.clone()).catch(() => undefined));
  return answer;
}

/**
 * Sends what goes to the API past the worker, where a browser can do so: a worker that merely looks on loses the calls that a page
 * makes while it is left, such as a deletion whose undo has not run out.
 */
async function routePast(event: ExtendableEvent & Routed): Promise<void> {
  const past = { condition: { urlPattern: { pathname: '/api/*' } }, source: 'network' };
  // Without it, the page that comes next makes these calls (parts/task/waitingDeletes.ts).
  await event.addRoutes?.(past).catch(() => undefined);
}

self.addEventListener('install', (event) => {
  event.waitUntil(routePast(event));
  // A new worker need not wait for old tabs to close: pages are never kept, and files keep their names.
  event.waitUntil(keepOfflinePage().then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => event.waitUntil(begin()));

self.addEventListener('message', (event) => {
  if (event.data === 'claim') event.waitUntil(self.clients.claim());
});

async function show(message: PushMessageData | null): Promise<void> {
  const { title, page, ...shown } = shownOf(message?.text(), self.location.origin);
  await self.registration.showNotification(title, { ...shown, icon: '/icon-192.png', badge: '/icon-192.png', data: page });
}

/** Brings the page to the front, or opens it; a tab where somebody does something else stays as it is. */
async function openPage(page: string): Promise<void> {
  const address = new URL(page, self.location.origin).href;
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = windows.find(({ url }) => url === address);
  await (there ? there.focus() : self.clients.openWindow(address));
}

/** Takes the new address of a push service; the next page that is opened tells the server (parts/channels/setup/renewPush.ts). */
async function subscribeAgain(old: PushSubscription | null): Promise<void> {
  const applicationServerKey = old?.options.applicationServerKey;
  if (applicationServerKey) await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

self.addEventListener('push', (event) => event.waitUntil(show(event.data)));

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPage(String(event.notification.data ?? '/')));
});

self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(subscribeAgain(event.oldSubscription).catch(() => undefined));
});

self.addEventListener('fetch', (event) => {
  const reaction = reactionTo(event.request, self.location.origin);
  if (reaction === 'page') event.respondWith(page(event.request));
  if (reaction === 'asset') event.respondWith(file(event));
});
