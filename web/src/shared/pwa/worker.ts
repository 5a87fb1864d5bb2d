// The service worker: serves an offline page, and the files of a build from the disk. It stores no
// user data and never sees the API (ADR 27). vite.worker.config.ts inserts the offline page's
// checksum.
import { shownOf } from './pushed.ts';
import { isGateway, isWhole, reactionTo } from './reaction.ts';

declare const self: ServiceWorkerGlobalScope;

/** Static routing, which the types do not know yet. */
interface Routed {
  addRoutes?: (rule: object) => Promise<void>;
}

const OFFLINE = '/offline';
/** A new offline page gets a new cache. */
const PAGES = 'sooner-offline-__CHECKSUM__';
/** File names carry the checksum of their content, so one cache serves every build. */
const FILES = 'sooner-files';
/** More than one build has, fewer than two. */
const MOST_FILES = 240;

async function keepOfflinePage(): Promise<void> {
  const cache = await caches.open(PAGES);
  await cache.add(new Request(OFFLINE, { cache: 'reload' }));
}

async function begin(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== PAGES && name !== FILES).map((name) => caches.delete(name)));
  // With navigation preload a browser requests a navigation twice if the worker ignores it, and
  // discards the first response. Google's return address works only once. It is turned off
  // explicitly, because browsers remember the old state.
  await self.registration.navigationPreload?.disable();
  await self.clients.claim();
}

async function offlinePage(): Promise<Response | undefined> {
  const kept = await caches.match(OFFLINE, { cacheName: PAGES, ignoreVary: true });
  // It is not the requested page and must not be mistaken for it.
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
  // The oldest files come first.
  await Promise.all(known.slice(0, Math.max(0, known.length - MOST_FILES)).map((one) => cache.delete(one)));
}

async function file(event: FetchEvent): Promise<Response> {
  // A full disk or blocked storage must not deprive the page of its files.
  const cache = await caches.open(FILES).catch(() => undefined);
  const kept = await cache?.match(event.request, { ignoreVary: true }).catch(() => undefined);
  if (kept) return kept;
  const answer = await fetch(event.request);
  if (cache && isWhole(answer)) event.waitUntil(keep(cache, event.request, answer.clone()).catch(() => undefined));
  return answer;
}

/**
 * Routes API requests past the worker, if the browser can. A worker, even a passive one, loses
 * requests of a page that is being left, such as a deletion after its undo period.
 */
async function routePast(event: ExtendableEvent & Routed): Promise<void> {
  const past = { condition: { urlPattern: { pathname: '/api/*' } }, source: 'network' };
  // Without it, the next page sends these requests (parts/task/waitingDeletes.ts).
  await event.addRoutes?.(past).catch(() => undefined);
}

self.addEventListener('install', (event) => {
  event.waitUntil(routePast(event));
  // A new worker need not wait until old tabs close: pages are never cached, and files keep their
  // names.
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

/** Brings the page to the front, or opens it. A tab in other use is not changed. */
async function openPage(page: string): Promise<void> {
  const address = new URL(page, self.location.origin).href;
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = windows.find(({ url }) => url === address);
  await (there ? there.focus() : self.clients.openWindow(address));
}

/**
 * Handles a push service's new address. The next page sends it to the server
 * (parts/channels/setup/renewPush.ts).
 */
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
