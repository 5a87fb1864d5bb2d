import { onlineManager } from '@tanstack/react-query';
import { cleanup, configure, prettyDOM } from '@testing-library/react';
import { afterAll, afterEach } from 'vitest';
import { clearUserData } from './app/clearUserData.ts';
import { queryClient } from './shared/api/queries.ts';
import { endSession } from './shared/api/session.ts';

// For tests with a window: adds what jsdom lacks, and cleans up after each test.

/**
 * Prints the page only when an error is read, not for each failed attempt of `waitFor`, which took
 * a tenth of the test time.
 */
function elementError(message: string | null, container: Element): Error {
  const error = new Error(message ?? '');
  error.name = 'TestingLibraryElementError';
  // Points the stack to the test, not to this line.
  Error.captureStackTrace(error, elementError);
  const whole = () => [message, prettyDOM(container)].filter(Boolean).join('\n\n');
  return Object.defineProperty(error, 'message', { get: whole, configurable: true });
}

// A busy machine is slow. A test that waits in vain still ends.
configure({ asyncUtilTimeout: 30_000, defaultHidden: false, getElementError: elementError });

// jsdom has no media queries. None matches, unless a test sets it.
const noMedia = (media: string) => ({
  media,
  matches: false,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
});
if (typeof window !== 'undefined' && !window.matchMedia) window.matchMedia = noMedia as unknown as typeof window.matchMedia;

// jsdom has no dialogs either: an open one has the focus, and returns it.
if (typeof HTMLDialogElement !== 'undefined' && !HTMLDialogElement.prototype.showModal) {
  const from = new WeakMap<HTMLDialogElement, Element | null>();
  HTMLDialogElement.prototype.showModal = function () {
    from.set(this, document.activeElement);
    this.setAttribute('open', '');
    this.querySelector('button')?.focus();
  };
  HTMLDialogElement.prototype.close = function () {
    this.removeAttribute('open');
    (from.get(this) as HTMLElement | null)?.focus();
    this.dispatchEvent(new Event('close'));
  };
}

// jsdom counts its frames with one timer. If it starts while a test's clock is stopped, it never
// runs again.
const frames = {
  requestAnimationFrame: (call: FrameRequestCallback) => Number(setTimeout(() => call(performance.now()), 16)),
  cancelAnimationFrame: (frame: number) => clearTimeout(frame),
};
Object.assign(window, frames);
Object.assign(document.defaultView ?? {}, frames);

// A spy on a stopped clock would restore the stopped one.
const clock = { setTimeout, clearTimeout, setInterval, clearInterval, Date };

const defaults = queryClient.getDefaultOptions();

/** Removes a test's attributes from an element of the page. */
function strip(element: Element) {
  for (const name of element.getAttributeNames()) element.removeAttribute(name);
}

afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

afterAll(() => {
  Object.assign(globalThis, clock);
  cleanup();
  endSession();
  clearUserData();
  onlineManager.setOnline(true);
  queryClient.setDefaultOptions(defaults);
  document.body.replaceChildren();
  // Style sheets stay, because the modules that wrote them do not write them again.
  for (const element of document.head.querySelectorAll(':not(style)')) element.remove();
  strip(document.body);
  strip(document.documentElement);
  for (const name of Object.getOwnPropertyNames(navigator)) Reflect.deleteProperty(navigator, name);
  window.history.replaceState(null, '', '/');
});

// jsdom does not report how the document was opened.
performance.getEntriesByType ??= () => [];
