const WORKER = '/worker.js';
/** Who is still busy after this long is served all the same. */
const PATIENCE_MS = 10_000;
/** For browsers that do not say when they are idle. */
const PAUSE_MS = 3_000;

function register(): void {
  const { serviceWorker } = navigator;
  const registered = serviceWorker.register(WORKER, { updateViaCache: 'none' });
  // One that began while this page was on its way, on behalf of the page before, does not know of it yet.
  const greeted = registered.then(({ active }) => !serviceWorker.controller && active?.postMessage('claim'));
  // Storage may be blocked, or the operator has switched it off: everything works without.
  greeted.catch(() => undefined);
}

function whenIdle(): void {
  if (typeof window.requestIdleCallback === 'function') window.requestIdleCallback(register, { timeout: PATIENCE_MS });
  else window.setTimeout(register, PAUSE_MS);
}

/** Asks for the service worker once the page has loaded and rests; neither in development nor on plain http. */
export function registerWorker(): void {
  if (import.meta.env.MODE !== 'production' || !window.isSecureContext || !('serviceWorker' in navigator)) return;
  if (document.readyState === 'complete') whenIdle();
  else window.addEventListener('load', whenIdle, { once: true });
}
