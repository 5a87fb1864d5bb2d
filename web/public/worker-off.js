// Sent in the worker's place once the operator has turned it off (SOONER_WORKER_OFF). It deletes
// its caches, and then itself.
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(retire()));

async function retire() {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
}
