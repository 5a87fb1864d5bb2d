// @vitest-environment jsdom
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LoginAnswer } from './types.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const user = { id: 'u1', username: 'lin@example.com', email: 'lin@example.com' } as LoginAnswer['user'];
const answer = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
const good = (data: unknown) => answer(200, { success: true, data, error: null });
const refused = () =>
  answer(401, { success: false, data: null, error: { code: 'INVALID_REFRESH_TOKEN', message: 'Please log in again' } });

/**
 * Simulates the server's rules for refresh tokens. The newest token and the one before it are
 * valid, and both return the same successor. An older token counts as stolen.
 */
class Server {
  turn = 0;
  refreshes = 0;
  thefts = 0;
  open = true;
  /** Number of responses that are lost before they reach the browser. */
  lost = 0;
  offline = false;
  /** Responses wait for this promise. */
  gate: Promise<void> = Promise.resolve();

  async refresh(body: string): Promise<Response> {
    const sent = Number((JSON.parse(body) as { refresh_token: string }).refresh_token.slice(1));
    if (this.offline) throw new TypeError('offline');
    this.refreshes += 1;
    await this.gate;
    if (!this.open) return refused();
    if (sent < this.turn - 1) {
      this.thefts += 1;
      this.open = false;
      return refused();
    }
    this.turn = sent + 1;
    if (this.lost > 0) {
      this.lost -= 1;
      throw new TypeError('connection lost');
    }
    return good({ access_token: `a${this.turn}`, refresh_token: `r${this.turn}` });
  }
}

/**
 * Simulates the channel between the tabs of one browser: a message of one tab reaches all others.
 */
class Air {
  private readonly tabs = new Set<{ hear: Set<(event: { data: unknown }) => void>; asleep: boolean }>();

  channel() {
    const air = this;
    return class {
      readonly bound = new Map<unknown, (event: { data: unknown }) => void>();
      readonly mine = { hear: new Set<(event: { data: unknown }) => void>(), asleep: false };
      constructor() {
        air.tabs.add(this.mine);
      }
      addEventListener(_: string, listener: (event: { data: unknown }) => void) {
        this.bound.set(listener, AsyncResource.bind(listener));
        this.mine.hear.add(this.bound.get(listener) ?? listener);
      }
      removeEventListener(_: string, listener: (event: { data: unknown }) => void) {
        this.mine.hear.delete(this.bound.get(listener) ?? listener);
      }
      postMessage(data: unknown) {
        for (const tab of air.tabs)
          if (tab !== this.mine && !tab.asleep)
            setTimeout(() => {
              for (const listener of [...tab.hear]) listener({ data: structuredClone(data) });
            }, 1);
      }
    };
  }

  /** Makes the most recently opened tab ignore messages. */
  putLastToSleep() {
    const last = [...this.tabs].at(-1);
    if (last) last.asleep = true;
  }

  /** Closes all tabs, so that none of them receives messages. */
  closeAll() {
    for (const tab of this.tabs) tab.asleep = true;
  }
}

class MemoryStorage {
  private readonly map = new Map<string, string>();
  getItem = (key: string) => this.map.get(key) ?? null;
  setItem = (key: string, value: string) => void this.map.set(key, value);
  removeItem = (key: string) => void this.map.delete(key);
  clear = () => this.map.clear();
  copy() {
    const next = new MemoryStorage();
    for (const [key, value] of this.map) next.setItem(key, value);
    return next;
  }
}

/**
 * Holds the sessionStorage of the running tab. Timers and listeners of a tab run in that tab's
 * context.
 */
const here = new AsyncLocalStorage<MemoryStorage>();

type Api = typeof import('./session.ts') & typeof import('./tokens.ts') & typeof import('./identity.ts');

/**
 * Simulates a browser whose tabs share localStorage, channels and locks. Each tab has its own
 * modules and its own sessionStorage.
 */
class Browser {
  readonly server = new Server();
  readonly air = new Air();
  readonly local = new MemoryStorage();
  channels = true;
  locks = true;
  private queue: Promise<unknown> = Promise.resolve();

  constructor() {
    vi.stubGlobal('fetch', async (request: Request) => this.server.refresh(await request.text()));
  }

  private readonly lockManager = {
    request: (_: string, work: () => Promise<unknown>) => {
      const mine = this.queue.then(work);
      this.queue = mine.catch(() => undefined);
      return mine;
    },
  };

  /**
   * Opens a tab. For a duplicated or restored tab, `session` is a copy of the old tab's
   * sessionStorage.
   */
  async open(session = new MemoryStorage()) {
    const { local } = this;
    Object.defineProperty(window, 'localStorage', { get: () => local, configurable: true });
    Object.defineProperty(window, 'sessionStorage', { get: () => here.getStore(), configurable: true });
    vi.resetModules();
    vi.stubGlobal('BroadcastChannel', this.channels ? this.air.channel() : undefined);
    Object.defineProperty(navigator, 'locks', { value: this.locks ? this.lockManager : undefined, configurable: true });
    const api: Api = await here.run(session, async () => ({
      ...(await import('./session.ts')),
      ...(await import('./tokens.ts')),
      ...(await import('./identity.ts')),
    }));
    return { ...api, session, run: <T>(work: (tab: Api) => T) => here.run(session, () => work(api)) };
  }

  /** Opens a tab and waits for its start. */
  async start(session = new MemoryStorage()) {
    const tab = await this.open(session);
    await Promise.all([tab.run((it) => it.startSession()), settle()]);
    return tab;
  }
}

/** Advances the timers by 2 s, so that running work ends but no refresh becomes due. */
const settle = () => vi.advanceTimersByTimeAsync(2_000);

let browser: Browser;
const places = { localStorage: window.localStorage, sessionStorage: window.sessionStorage };

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-24T21:43:00Z') });
  const wait = setTimeout;
  vi.stubGlobal('setTimeout', (work: () => void, ms: number) => wait(AsyncResource.bind(work), ms));
  browser = new Browser();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  for (const [name, value] of Object.entries(places)) Object.defineProperty(window, name, { value, configurable: true });
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
});

const login = { access_token: 'a0', refresh_token: 'r0', user };

/** Returns a copy of a tab's sessionStorage, as for a duplicated or restored tab. */
const duplicate = (tab: { session: MemoryStorage }) => tab.session.copy();

describe('a session', () => {
  // spec: 7.4.02, 9.02
  it('is refreshed every ten minutes, and not before', async () => {
    const tab = await browser.start();
    tab.run((it) => it.acceptLogin(login, true));
    await vi.advanceTimersByTimeAsync(10 * MINUTE - 1);
    expect(browser.server.refreshes).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    await settle();
    expect(browser.server.refreshes).toBe(1);
    await vi.advanceTimersByTimeAsync(50 * MINUTE);
    expect(browser.server.refreshes).toBe(6);
    expect(tab.sessionStore.get()).toMatchObject({ id: 'u1' });
  });

  it('sends the same token again after a lost response', async () => {
    const tab = await browser.start();
    tab.run((it) => it.acceptLogin(login, true));
    browser.server.lost = 2;
    await vi.advanceTimersByTimeAsync(12 * MINUTE);
    expect([browser.server.refreshes, browser.server.thefts]).toEqual([3, 0]);
    expect(tab.run((it) => it.loadSession())?.refreshToken).toBe('r1');
  });

  it('retries without a network, and keeps the user signed in', async () => {
    const tab = await browser.start();
    tab.run((it) => it.acceptLogin(login, true));
    browser.server.offline = true;
    await vi.advanceTimersByTimeAsync(3 * HOUR);
    expect(tab.sessionStore.get()).not.toBeNull();
    browser.server.offline = false;
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(tab.accessToken.get()).toBe('a1');
  });

  it('is not restored if it ended during a refresh', async () => {
    const tab = await browser.start();
    tab.run((it) => it.acceptLogin(login, true));
    let openGate = () => {};
    browser.server.gate = new Promise((resolve) => {
      openGate = resolve;
    });
    const refreshed = tab.run((it) => it.refreshSession('a0'));
    await settle();
    tab.run((it) => it.endSession());
    openGate();
    await expect(refreshed).resolves.toBe(false);
    expect(tab.run((it) => it.loadSession())).toBeNull();
    expect(tab.accessToken.get()).toBeNull();
  });
});

describe('a device whose clock is wrong', () => {
  const day = 24 * HOUR;

  for (const remember of [true, false])
    for (const jump of [day, -day, 3 * day])
      it(`stays signed in if set by ${jump / day} days, ${remember ? 'remembered' : 'for the session'}`, async () => {
        const tab = await browser.start();
        tab.run((it) => it.acceptLogin(login, remember));
        vi.setSystemTime(Date.now() + jump);
        await vi.advanceTimersByTimeAsync(11 * MINUTE);
        expect(tab.sessionStore.get()?.id).toBe('u1');
        const again = await browser.start(duplicate(tab));
        expect(again.sessionStore.get()?.id).toBe('u1');
        expect(browser.server.thefts).toBe(0);
      });

  // spec: 4.1.05, 9.04
  for (const open of [true, false])
    it(`queries the server if a session-only sign-in seems expired, and accepts that it ${open ? 'is not' : 'is'}`, async () => {
      const tab = await browser.start();
      tab.run((it) => it.acceptLogin(login, false));
      browser.server.open = open;
      browser.air.closeAll();
      vi.setSystemTime(Date.now() + day + 1);
      const again = await browser.start(duplicate(tab));
      expect([again.sessionStore.get() !== null, again.run((it) => it.loadSession()) !== null]).toEqual([open, open]);
    });
});

describe('a server that does not answer', () => {
  it('does not delay the first page for long', async () => {
    const tab = await browser.start();
    tab.run((it) => it.acceptLogin(login, false));
    browser.air.closeAll();
    vi.setSystemTime(Date.now() + 25 * HOUR);
    let openGate = () => {};
    browser.server.gate = new Promise((resolve) => {
      openGate = resolve;
    });
    const again = await browser.open(duplicate(tab));
    let shown = false;
    const started = again
      .run((it) => it.startSession())
      .then(() => {
        shown = true;
      });
    await vi.advanceTimersByTimeAsync(5_000);
    expect([shown, again.sessionStore.get()]).toEqual([true, null]);
    openGate();
    await Promise.all([started, settle()]);
    expect(again.sessionStore.get()?.id).toBe('u1');
  });
});

for (const remember of [true, false])
  describe(`several tabs, ${remember ? 'remembered' : 'for the session'}`, () => {
    // spec: 10.7.31
    it('refresh once between them', async () => {
      const tabs = [await browser.start()];
      tabs[0]?.run((it) => it.acceptLogin(login, remember));
      for (let opened = 0; opened < 4; opened += 1) tabs.push(await browser.start());
      expect(tabs.map((tab) => tab.sessionStore.get()?.id)).toEqual(['u1', 'u1', 'u1', 'u1', 'u1']);
      await vi.advanceTimersByTimeAsync(10 * MINUTE);
      expect(browser.server.refreshes).toBe(1);
      const answers = Promise.all(tabs.map((tab) => tab.run((it) => it.refreshSession('a1'))));
      await settle();
      await expect(answers).resolves.toEqual([true, true, true, true, true]);
      expect([browser.server.refreshes, browser.server.thefts]).toEqual([2, 0]);
    });

    it('are all signed out together, and a late message restores no session', async () => {
      const first = await browser.start();
      first.run((it) => it.acceptLogin(login, remember));
      const second = await browser.start(duplicate(first));
      first.run((it) => it.endSession());
      await settle();
      expect([first.sessionStore.get(), second.sessionStore.get()]).toEqual([null, null]);
      expect(second.run((it) => it.loadSession())).toBeNull();
      await vi.advanceTimersByTimeAsync(HOUR);
      expect(browser.server.refreshes).toBe(0);
    });

    it('show one user: the user who signed in last', async () => {
      const first = await browser.start();
      first.run((it) => it.acceptLogin(login, remember));
      const forgotten = vi.fn();
      first.onLogout(forgotten);
      const second = await browser.start();
      const other = { ...user, id: 'u2', username: 'chen@example.com', email: 'chen@example.com' };
      second.run((it) => it.acceptLogin({ access_token: 'b0', refresh_token: 'r0', user: other }, remember));
      await settle();
      expect(first.sessionStore.get()?.id).toBe('u2');
      expect(forgotten).toHaveBeenCalled();
    });
  });

describe('a duplicated tab', () => {
  // spec: 10.7.31
  it('that missed refreshes requests the session from others and looks like no theft', async () => {
    const first = await browser.start();
    first.run((it) => it.acceptLogin(login, false));
    const old = duplicate(first);
    await vi.advanceTimersByTimeAsync(45 * MINUTE);
    const late = await browser.start(old);
    await vi.advanceTimersByTimeAsync(11 * MINUTE);
    expect(browser.server.thefts).toBe(0);
    expect(late.sessionStore.get()?.id).toBe('u1');
    expect(late.run((it) => it.loadSession())?.refreshToken).toBe(`r${browser.server.turn}`);
  });

  it('one refresh behind, with all other tabs closed, continues with its own token', async () => {
    const first = await browser.start();
    first.run((it) => it.acceptLogin(login, false));
    const old = duplicate(first);
    await vi.advanceTimersByTimeAsync(11 * MINUTE);
    browser.air.closeAll();
    const late = await browser.start(old);
    expect(await Promise.all([late.run((it) => it.refreshSession('a1')), settle()])).toEqual([true, expect.anything()]);
    expect(browser.server.thefts).toBe(0);
  });

  it('far behind, with all other tabs closed, becomes a guest and sends no outdated token', async () => {
    const first = await browser.start();
    first.run((it) => it.acceptLogin(login, false));
    const old = duplicate(first);
    await vi.advanceTimersByTimeAsync(45 * MINUTE);
    const before = browser.server.refreshes;
    browser.air.closeAll();
    const late = await browser.start(old);
    await Promise.all([late.run((it) => it.refreshSession(it.accessToken.get())), settle()]);
    expect([late.sessionStore.get(), browser.server.thefts, browser.server.refreshes]).toEqual([null, 0, before]);
  });

  it('keeps the other tabs signed in if they are too busy to answer', async () => {
    const first = await browser.start();
    first.run((it) => it.acceptLogin(login, false));
    browser.air.putLastToSleep();
    const second = await browser.start();
    expect(second.sessionStore.get()).toBeNull();
    const reloaded = await browser.start(duplicate(first));
    expect(reloaded.sessionStore.get()?.id).toBe('u1');
  });
});

describe('a browser without locks and channels (plain http, old)', () => {
  beforeEach(() => {
    browser.channels = false;
    browser.locks = false;
  });

  it('refreshes one at a time', async () => {
    const first = await browser.start();
    first.run((it) => it.acceptLogin(login, true));
    const second = await browser.start();
    const answers = Promise.all([first, second].map((tab) => tab.run((it) => it.refreshSession('a0'))));
    await settle();
    await expect(answers).resolves.toEqual([true, true]);
    expect(browser.server.refreshes).toBe(1);
  });

  it('ignores a lease that was written before the clock was set back', async () => {
    const tab = await browser.start();
    tab.run((it) => it.acceptLogin(login, true));
    browser.local.setItem('sooner.lock.sooner.refresh', `gone|${Date.now() + 24 * HOUR}`);
    await Promise.all([tab.run((it) => it.refreshSession('a0')), settle()]);
    expect(browser.server.refreshes).toBe(1);
  });
});

describe('a sign-out signalled through localStorage', () => {
  it('reaches tabs without a channel', async () => {
    browser.channels = false;
    const tab = await browser.start();
    tab.run((it) => it.acceptLogin(login, true));
    const family = tab.run((it) => it.loadSession())?.family;
    const newValue = JSON.stringify({ kind: 'logout', family });
    tab.run(() => window.dispatchEvent(new StorageEvent('storage', { key: 'sooner.signal', newValue })));
    expect(tab.sessionStore.get()).toBeNull();
  });
});

describe('a browser that blocks storage', () => {
  // spec: 10.7.31
  it('signs in and stays signed in for the page’s lifetime', async () => {
    const tab = await browser.open();
    const blocked = {
      get: () => {
        throw new DOMException('blocked', 'SecurityError');
      },
      configurable: true,
    };
    Object.defineProperty(window, 'localStorage', blocked);
    Object.defineProperty(window, 'sessionStorage', blocked);
    await Promise.all([tab.run((it) => it.startSession()), settle()]);
    tab.run((it) => it.acceptLogin(login, true));
    await vi.advanceTimersByTimeAsync(31 * MINUTE);
    expect(tab.sessionStore.get()?.id).toBe('u1');
    expect(tab.accessToken.get()).toBe('a3');
    tab.run((it) => it.endSession());
    expect(tab.run((it) => it.loadSession())).toBeNull();
  });
});
