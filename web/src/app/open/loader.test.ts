import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const alive = vi.fn(async () => undefined);
const reload = vi.fn();
const asked = vi.fn<() => Promise<Response>>();
const code = (script: string) => `data:text/javascript,${encodeURIComponent(script)}//`;
const live = 'export const live = () => globalThis.alive();';
/** Code that comes, code that does not come under its first address, and code that never comes. */
const there = code(live);
const second = code(`if (!/[?]again=[0-9]$/.test(import.meta.url)) throw new Error('no network'); ${live}`);
const never = code("throw new Error('no network');");

const touch = () => window.dispatchEvent(new Event('pointerover'));
const offline = () => Promise.reject(new TypeError('Failed to fetch'));
const answer = (status: number) => () => Promise.resolve(new Response(null, { status }));
const field = () => document.querySelector('input') as HTMLInputElement;
const pressed = vi.fn();
/** The listeners that a test's loader has set, to be taken away again. */
let set: [string, EventListener][] = [];

/** The document begins with the loader, naming the page's code. */
async function begun(client: string) {
  vi.resetModules();
  const script = document.createElement('script');
  script.dataset.client = client;
  vi.spyOn(document, 'currentScript', 'get').mockReturnValue(script);
  const add = window.addEventListener.bind(window);
  vi.stubGlobal('addEventListener', (name: string, listener: EventListener, how: AddEventListenerOptions) => {
    set.push([name, listener]);
    add(name, listener, how);
  });
  // Not `import`: to TypeScript the loader is no module.
  await vi.importActual('./loader.ts');
}

beforeEach(() => {
  vi.stubGlobal('alive', alive);
  vi.stubGlobal('fetch', asked);
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('location', { search: '', reload });
  document.body.innerHTML = '<input><button type="button">open</button>';
  document.querySelector('button')?.addEventListener('click', pressed);
});

afterEach(() => {
  for (const [name, listener] of set) window.removeEventListener(name, listener, true);
  set = [];
  sessionStorage.clear();
  vi.clearAllMocks();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('makes a press that came before the code once it is there', async () => {
  await begun(there);
  document.querySelector('button')?.click();
  expect(pressed).not.toHaveBeenCalled();
  touch();
  await vi.waitFor(() => expect(pressed).toHaveBeenCalledTimes(1));
});

it('loads the page anew once when its code did not come and the server answers again', async () => {
  asked.mockImplementation(offline);
  await begun(never);
  touch();
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(1));
  expect(reload).not.toHaveBeenCalled();
  asked.mockImplementation(answer(200));
  await vi.waitFor(() => {
    touch();
    expect(reload).toHaveBeenCalledTimes(1);
  });
});

it('keeps what is typed and asks for the code under another address, without a press of long ago', async () => {
  asked.mockImplementation(offline);
  await begun(second);
  field().value = 'dan@example.com';
  document.querySelector('button')?.click();
  touch();
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(1));
  asked.mockImplementation(answer(200));
  await vi.waitFor(() => {
    touch();
    expect(alive).toHaveBeenCalledTimes(1);
  });
  await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(reload).not.toHaveBeenCalled();
  expect(field().value).toBe('dan@example.com');
  expect(pressed).not.toHaveBeenCalled();
});

it('loads a page of an older build anew at once, but never twice', async () => {
  asked.mockImplementation(answer(404));
  await begun(never);
  touch();
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  expect(sessionStorage.getItem('sooner.reloaded')).toBe(never);
});
