import { onlineManager } from '@tanstack/react-query';
import { cleanup, configure, prettyDOM } from '@testing-library/react';
import { afterAll, afterEach } from 'vitest';
import { clearUserData } from './app/clearUserData.ts';
import { queryClient } from './shared/api/queries.ts';
import { endSession } from './shared/api/session.ts';

// Setup of tests with a window: adds what jsdom lacks, and cleans up after each test.

/**
 * Creates an error that prints the page only when its message is read. Printing it for each attempt
 * of `waitFor` took a tenth of the test time.
 */
function elementError(message: string | null, container: Element): Error {
  const error = new Error(message ?? '');
  error.name = 'TestingLibraryElementError';
  // Makes the stack trace begin in the test instead of this function.
  Error.captureStackTrace(error, elementError);
  const whole = () => [message, prettyDOM(container)].filter(Boolean).join('\n\n');
  return Object.defineProperty(error, 'message', { get: whole, configurable: true });
}

// Long timeout for slow machines. A test that waits in vain still ends.
configure({ asyncUtilTimeout: 30_000, defaultHidden: false, getElementError: elementError });

// jsdom has no media queries. By default none matches. A test may replace this.
const noMedia = (media: string) => ({
  media,
  matches: false,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
});
if (typeof window !== 'undefined' && !window.matchMedia) window.matchMedia = noMedia as unknown as typeof window.matchMedia;

// jsdom has no modal dialogs. This replacement moves the focus into the dialog, and returns it on
// closing.
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

// Replaces the animation frames of jsdom, which depend on one timer. If that timer starts during
// fake timers, it never runs again.
const frames = {
  requestAnimationFrame: (call: FrameRequestCallback) => Number(setTimeout(() => call(performance.now()), 16)),
  cancelAnimationFrame: (frame: number) => clearTimeout(frame),
};
Object.assign(window, frames);
Object.assign(document.defaultView ?? {}, frames);

// Restores the real timers after each test. A spy on fake timers would restore the fake ones.
const clock = { setTimeout, clearTimeout, setInterval, clearInterval, Date };

const defaults = queryClient.getDefaultOptions();

/** Removes all attributes from an element, which tests may have set. */
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
  // Style sheets stay, because their modules insert them only once.
  for (const element of document.head.querySelectorAll(':not(style)')) element.remove();
  strip(document.body);
  strip(document.documentElement);
  for (const name of Object.getOwnPropertyNames(navigator)) Reflect.deleteProperty(navigator, name);
  window.history.replaceState(null, '', '/');
});

// jsdom does not report how the document was opened.
performance.getEntriesByType ??= () => [];
