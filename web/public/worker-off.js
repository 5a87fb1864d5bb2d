// Sent in the worker's place once the operator has switched it off (SOONER_WORKER_OFF): forgets what was kept, and then itself.
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(retire()));

async function retire() {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
}
