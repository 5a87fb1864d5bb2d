const WORKER = '/worker.js';
/** Longest wait for an idle browser. */
const PATIENCE_MS = 10_000;
/** Delay in browsers that do not report idle time. */
const PAUSE_MS = 3_000;

function register(): void {
  const { serviceWorker } = navigator;
  const registered = serviceWorker.register(WORKER, { updateViaCache: 'none' });
  // A worker that started for the previous page does not know this one yet.
  const greeted = registered.then(({ active }) => !serviceWorker.controller && active?.postMessage('claim'));
  // Storage may be blocked, or the operator has turned the worker off. Everything works without it.
  greeted.catch(() => undefined);
}

function whenIdle(): void {
  if (typeof window.requestIdleCallback === 'function') window.requestIdleCallback(register, { timeout: PATIENCE_MS });
  else window.setTimeout(register, PAUSE_MS);
}

/**
 * Registers the service worker once the page has loaded and settled. It does so neither in
 * development nor on plain HTTP.
 */
export function registerWorker(): void {
  if (import.meta.env.MODE !== 'production' || !window.isSecureContext || !('serviceWorker' in navigator)) return;
  if (document.readyState === 'complete') whenIdle();
  else window.addEventListener('load', whenIdle, { once: true });
}
