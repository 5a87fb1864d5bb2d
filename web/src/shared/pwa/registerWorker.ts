const WORKER = '/worker.js';
/** Longest wait until the browser is idle. */
const PATIENCE_MS = 10_000;
/** Delay in browsers that do not report idle time. */
const PAUSE_MS = 3_000;

function register(): void {
  const { serviceWorker } = navigator;
  const registered = serviceWorker.register(WORKER, { updateViaCache: 'none' });
  // Asks the active worker to control this page too, if it started for an earlier page.
  const greeted = registered.then(({ active }) => !serviceWorker.controller && active?.postMessage('claim'));
  // Storage is blocked, or the operator has disabled the worker. The app works without it.
  greeted.catch(() => undefined);
}

function whenIdle(): void {
  if (typeof window.requestIdleCallback === 'function') window.requestIdleCallback(register, { timeout: PATIENCE_MS });
  else window.setTimeout(register, PAUSE_MS);
}

/**
 * Registers the service worker once the page has loaded and is idle. It does nothing in development
 * and on plain HTTP.
 */
export function registerWorker(): void {
  if (import.meta.env.MODE !== 'production' || !window.isSecureContext || !('serviceWorker' in navigator)) return;
  if (document.readyState === 'complete') whenIdle();
  else window.addEventListener('load', whenIdle, { once: true });
}
