// Service worker. It shows an offline page if the server is unreachable, and serves build files
// from its cache. It stores no user data and does not handle API requests (ADR 27).
// vite.worker.config.ts inserts the checksum of the offline page.
import { shownOf, tokenOf } from './pushed.ts';
import { isGateway, isWhole, reactionTo } from './reaction.ts';

declare const self: ServiceWorkerGlobalScope;

/** Event with the static routing API, which TypeScript's types lack. */
interface Routed {
  addRoutes?: (rule: object) => Promise<void>;
}

const OFFLINE = '/offline';
/**
 * Cache of the offline page. Its name contains the page's checksum, so a new page gets a new cache.
 */
const PAGES = 'sooner-offline-__CHECKSUM__';
/**
 * Cache of the build files. File names contain a checksum of their content, so one cache serves
 * every build.
 */
const FILES = 'sooner-files';
/** Maximum number of cached files. One build has fewer files, two builds have more. */
const MOST_FILES = 240;

async function keepOfflinePage(): Promise<void> {
  const cache = await caches.open(PAGES);
  await cache.add(new Request(OFFLINE, { cache: 'reload' }));
}

async function begin(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== PAGES && name !== FILES).map((name) => caches.delete(name)));
  // With navigation preload, browsers send some navigations twice. The address to which Google
  // returns works only once. Browsers remember an old setting, so preload is disabled explicitly.
  await self.registration.navigationPreload?.disable();
  await self.clients.claim();
}

async function offlinePage(): Promise<Response | undefined> {
  const kept = await caches.match(OFFLINE, { cacheName: PAGES, ignoreVary: true });
  // Status 503 shows that this is not the requested page.
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
  // Deletes the oldest files, which come first.
  await Promise.all(known.slice(0, Math.max(0, known.length - MOST_FILES)).map((one) => cache.delete(one)));
}

async function file(event: FetchEvent): Promise<Response> {
  // The page must get its file even if the cache cannot store it.
  const cache = await caches.open(FILES).catch(() => undefined);
  const kept = await cache?.match(event.request, { ignoreVary: true }).catch(() => undefined);
  if (kept) return kept;
  const answer = await fetch(event.request);
  if (cache && isWhole(answer)) event.waitUntil(keep(cache, event.request, answer.clone()).catch(() => undefined));
  return answer;
}

/**
 * Routes API requests past the worker, if the browser supports it. Otherwise requests of a page
 * that the user is leaving may be lost, such as a deletion after its undo period.
 */
async function routePast(event: ExtendableEvent & Routed): Promise<void> {
  const past = { condition: { urlPattern: { pathname: '/api/*' } }, source: 'network' };
  // If the browser does not support it, the next page repeats these requests
  // (parts/task/waitingDeletes.ts).
  await event.addRoutes?.(past).catch(() => undefined);
}

self.addEventListener('install', (event) => {
  event.waitUntil(routePast(event));
  // Replaces the old worker at once. This is safe, because pages are never cached, and a build file
  // with the same name always has the same content.
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

/** Focuses a tab that shows the page, or opens a new tab. Other tabs do not navigate. */
async function openPage(page: string): Promise<void> {
  const address = new URL(page, self.location.origin).href;
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = windows.find(({ url }) => url === address);
  await (there ? there.focus() : self.clients.openWindow(address));
}

/**
 * Answers a question with no. Opens its page if that fails or comes too late, so that the user sees
 * the state of the question.
 */
async function decline(page: string): Promise<void> {
  const body = JSON.stringify({ token: tokenOf(page, self.location.origin), answer: 'no' });
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  const answer = await fetch('/api/v1/questions/answer', request)
    .then((response) => response.json() as Promise<{ data?: { state?: string } | null }>)
    .catch(() => undefined);
  if (answer?.data?.state !== 'declined') await openPage(page);
}

/**
 * Renews a push subscription that the push service ended. The next page sends the new address to
 * the server (parts/channels/setup/renewPush.ts).
 */
async function subscribeAgain(old: PushSubscription | null): Promise<void> {
  const applicationServerKey = old?.options.applicationServerKey;
  if (applicationServerKey) await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

self.addEventListener('push', (event) => event.waitUntil(show(event.data)));

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const page = String(event.notification.data ?? '/');
  event.waitUntil(event.action === 'no' ? decline(page) : openPage(page));
});

self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(subscribeAgain(event.oldSubscription).catch(() => undefined));
});

self.addEventListener('fetch', (event) => {
  const reaction = reactionTo(event.request, self.location.origin);
  if (reaction === 'page') event.respondWith(page(event.request));
  if (reaction === 'asset') event.respondWith(file(event));
});
