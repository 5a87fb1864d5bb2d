// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

type Touch = typeof import('./touch.ts').default;

const hydrate = vi.fn(async () => undefined);
const load = vi.fn(async () => hydrate);
const reload = vi.fn();
const pressed = vi.fn();
let island: HTMLElement;

/** Loads the directive again, so that it has not seen any touch yet. */
async function begun(value?: string, member = false): Promise<void> {
  document.documentElement.toggleAttribute('data-member', member);
  vi.resetModules();
  const touch: Touch = (await import('./touch.ts')).default;
  touch(load, { value }, island);
}

const button = () => island.querySelector('button') as HTMLButtonElement;
const touchPage = () => window.dispatchEvent(new Event('scroll'));
/**
 * Simulates an island whose code fails to load: dispatches Astro's error event, and returns
 * `hydrate` like Astro.
 */
const fails = async () => {
  island.dispatchEvent(new CustomEvent('astro:hydration-error', { bubbles: true, cancelable: true }));
  return hydrate;
};

beforeEach(() => {
  document.body.innerHTML = '<div data-files="a.js b.js" component-url="/assets/a.js"><button type="button">open</button></div>';
  island = document.body.firstElementChild as HTMLElement;
  button().addEventListener('click', pressed);
});

afterEach(() => {
  document.head.replaceChildren();
  document.body.replaceChildren();
  vi.clearAllMocks();
  vi.unstubAllGlobals();
  load.mockImplementation(async () => hydrate);
});

// spec: 10.12.11
it('loads nothing before the page is touched, and then the whole island', async () => {
  await begun();
  await Promise.resolve();
  expect(load).not.toHaveBeenCalled();
  touchPage();
  await vi.waitFor(() => expect(hydrate).toHaveBeenCalledOnce());
  expect([...document.querySelectorAll('link')].map((link) => link.getAttribute('href'))).toEqual([
    '/assets/a.js',
    '/assets/b.js',
  ]);
});

it('waits for a touch of the island if its value is `here`, and repeats the press after hydration', async () => {
  await begun('here');
  touchPage();
  await Promise.resolve();
  expect(load).not.toHaveBeenCalled();
  button().click();
  expect(pressed).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(pressed).toHaveBeenCalledOnce());
  expect(hydrate).toHaveBeenCalledOnce();
});

it('hydrates without a touch for a signed-in user', async () => {
  vi.stubGlobal('requestIdleCallback', (call: () => void) => call());
  await begun(undefined, true);
  window.dispatchEvent(new Event('load'));
  await vi.waitFor(() => expect(hydrate).toHaveBeenCalledOnce());
});

it('retries at the next touch after the code failed to load, without repeating the earlier press', async () => {
  vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('no network')));
  vi.stubGlobal('location', { ...window.location, reload });
  load.mockImplementation(fails);
  await begun();
  button().click();
  await vi.waitFor(() => expect(load).toHaveBeenCalledOnce());
  load.mockImplementation(async () => hydrate);
  await vi.waitFor(() => {
    button().dispatchEvent(new Event('pointerdown', { bubbles: true }));
    expect(hydrate).toHaveBeenCalledOnce();
  });
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  expect(pressed).not.toHaveBeenCalled();
  expect(reload).not.toHaveBeenCalled();
});
