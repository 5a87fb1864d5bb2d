// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listenForEvents, type ServerEvent } from './events.ts';
import { recordPageStart } from './pageStart.ts';
import { streamState } from './streamState.ts';
import { accessToken } from './tokens.ts';

/** Simulates a server whose event streams the test controls. */
function server() {
  const asked: (string | null)[] = [];
  const open: ReadableStreamDefaultController<Uint8Array>[] = [];
  let up = true;
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    if (!up) throw new TypeError('no network');
    asked.push(new Headers(init.headers).get('Last-Event-ID'));
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        open.push(controller);
        init.signal?.addEventListener('abort', () => controller.error(new DOMException('aborted', 'AbortError')));
      },
    });
    return new Response(body, { status: 200, headers: { 'Content-Type': 'text/event-stream' } });
  });
  const send = (text: string) => open.at(-1)?.enqueue(new TextEncoder().encode(text));
  return { asked, send, cut: () => open.at(-1)?.close(), setUp: (on: boolean) => (up = on) };
}

/**
 * Simulates several tabs in this one window: a message channel between them, and a lock that one
 * tab holds at a time.
 */
function stubTabs(): void {
  const channels = new Set<FakeChannel>();
  class FakeChannel extends EventTarget {
    constructor() {
      super();
      channels.add(this);
    }
    postMessage(data: unknown) {
      for (const other of channels)
        if (other !== this) other.dispatchEvent(new MessageEvent('message', { data: structuredClone(data) }));
    }
    close() {
      channels.delete(this);
    }
  }
  vi.stubGlobal('BroadcastChannel', FakeChannel);
  let free: (() => void) | null = null;
  const waiting: (() => Promise<unknown>)[] = [];
  const request = (_: string, { signal }: { signal: AbortSignal }, hold: () => Promise<unknown>) => {
    if (free) waiting.push(hold);
    else {
      free = () => waiting.shift()?.();
      signal.addEventListener('abort', () => free?.());
      void hold();
    }
    return new Promise<void>(() => undefined);
  };
  vi.stubGlobal('navigator', { locks: { request } });
}

const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

describe('the event stream', () => {
  let events: ServerEvent[] = [];
  let stop = () => undefined as unknown;

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('BroadcastChannel', undefined);
    accessToken.set('a');
    events = [];
  });

  afterEach(() => {
    stop();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  const start = () => {
    stop = listenForEvents((event) => events.push(event));
  };

  it('is live once connected, and reports changes', async () => {
    const { send } = server();
    start();
    expect(streamState.get()).toBe('connecting');
    await settle();
    expect(streamState.get()).toBe('live');
    send(
      'id: 7\nevent: task\ndata: {"id":"a","version":7,"deleted":false}\n\nevent: credit\ndata: {"credit":12.5,"on_hold":0}\n\n: ping\n\n',
    );
    await settle();
    expect(events).toEqual([
      { kind: 'connected', resumed: false },
      { kind: 'task', id: 'a', deleted: false },
      { kind: 'credit', credit: 12.5, on_hold: 0 },
    ]);
  });

  it('resumes after an interruption, and is down during the interruption', async () => {
    const { asked, send, cut } = server();
    start();
    await settle();
    send('id: 41\nevent: task\ndata: {"id":"a","version":41}\n\n');
    await settle();
    cut();
    await settle();
    expect(streamState.get()).toBe('down');
    await settle(1_000);
    expect(streamState.get()).toBe('live');
    expect(asked).toEqual([null, '41']);
    expect(events.at(-1)).toEqual({ kind: 'connected', resumed: true });
  });

  it('starts at the page’s start, so that data loaded in between is not loaded twice', async () => {
    vi.setSystemTime('2026-11-23T06:00:09.500Z');
    recordPageStart(new Response(null, { headers: { Date: 'Mon, 23 Nov 2026 06:00:00 GMT' } }));
    const { asked } = server();
    start();
    await settle();
    const begin = Number(asked[0]) / 1000;
    expect(begin).toBeLessThanOrEqual(Date.parse('2026-11-23T06:00:00Z'));
    expect(begin).toBeGreaterThan(Date.parse('2026-11-23T05:00:00Z'));
    expect(events).toEqual([{ kind: 'connected', resumed: true }]);
  });

  it('detects that the server is silent although the connection is still open', async () => {
    const { asked, send } = server();
    start();
    await settle();
    await settle(40_000);
    send(': ping\n\n');
    await settle(40_000);
    expect(streamState.get()).toBe('live');
    await settle(10_000);
    expect(asked).toHaveLength(2);
  });

  it('retries with growing delays, and at once when the browser is online again', async () => {
    const { asked, setUp } = server();
    setUp(false);
    start();
    await settle(10_000);
    expect(streamState.get()).toBe('down');
    setUp(true);
    window.dispatchEvent(new Event('online'));
    await settle();
    expect([streamState.get(), asked.length]).toEqual(['live', 1]);
  });

  it('ends without an error when the user leaves the page: the channel closes before the stream aborts', async () => {
    class ClosedChannel extends EventTarget {
      postMessage() {
        throw new DOMException('Channel is closed', 'InvalidStateError');
      }
      close() {}
    }
    vi.stubGlobal('BroadcastChannel', ClosedChannel);
    let led: Promise<unknown> = Promise.resolve();
    const request = (_: string, __: object, hold: () => Promise<unknown>) => {
      led = hold();
      return new Promise<void>(() => undefined);
    };
    vi.stubGlobal('navigator', { locks: { request } });
    server();
    start();
    await settle(20_000);
    stop();
    await settle();
    await expect(led).resolves.toBeUndefined();
  });

  it('is shared by all tabs: each tab gets the same events and the same stream state', async () => {
    stubTabs();
    const { asked, send } = server();
    start();
    const second: ServerEvent[] = [];
    const stopSecond = listenForEvents((event) => second.push(event));
    await settle();
    send('id: 9\nevent: task\ndata: {"id":"a","version":9}\n\n');
    await settle();
    expect(asked).toHaveLength(1);
    expect([events, second].map((heard) => heard.filter((event) => event.kind === 'task').length)).toEqual([1, 1]);
    stop();
    await settle();
    expect(asked).toHaveLength(2);
    expect(streamState.get()).toBe('live');
    stopSecond();
  });

  it('repeats the events since the page’s start for a new tab, and no older events', async () => {
    stubTabs();
    recordPageStart(new Response(null, { headers: { Date: 'Mon, 23 Nov 2026 06:00:00 GMT' } }));
    const { send } = server();
    start();
    await settle();
    const sendTask = (id: string, at: string) => send(`id: ${Date.parse(at) * 1000}\nevent: task\ndata: {"id":"${id}"}\n\n`);
    sendTask('older', '2026-11-23T01:00:00Z');
    sendTask('newer', '2026-11-23T06:00:01Z');
    await settle();
    const second: ServerEvent[] = [];
    const stopSecond = listenForEvents((event) => second.push(event));
    await settle();
    expect(second).toEqual([{ kind: 'task', id: 'newer', deleted: false }]);
    stopSecond();
  });
});
