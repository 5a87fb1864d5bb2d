import { createParser } from 'eventsource-parser';
import { type Channel, openChannel } from './channel.ts';
import { pageBegin } from './pageBegin.ts';
import { refreshSession } from './session.ts';
import { type StreamState, streamState } from './streamState.ts';
import { accessToken } from './tokens.ts';

/**
 * A change on the server: its kind, and the id of a task. The stream has no more; the data is
 * requested again. Every connection starts with the balance and its figures, which saves a request.
 * `connected` without `resumed` means that events may be missing.
 */
export type ServerEvent =
  | { kind: 'task'; id: string; deleted: boolean }
  | { kind: 'credit'; credit?: number; on_hold?: number }
  | { kind: 'connected'; resumed: boolean };

/**
 * Messages between tabs of one browser: events, the state of the one stream, and a new tab's
 * request for both.
 */
type TabMessage = ServerEvent | { kind: 'stream'; state: StreamState } | { kind: 'hello'; since: string | null };

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;
/** The server sends something at least every 15 s. After three times that it counts as gone. */
const SILENT_MS = 45_000;
const TELL_TABS_MS = 15_000;
/** Number of events repeated for a tab that began to read before it could listen. */
const MOST_TOLD_AGAIN = 100;

/** Waits, at most until the browser is online again. */
const wait = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener('online', done);
    signal.addEventListener('abort', done);
  });

function decode(event: string | undefined, data: string): ServerEvent | null {
  if (event !== 'credit' && event !== 'task') return null;
  try {
    const { id, deleted, ...balance } = JSON.parse(data) as { id: string; deleted?: boolean; credit?: number; on_hold?: number };
    if (event === 'task') return { kind: event, id, deleted: deleted === true };
    return { kind: event, credit: balance.credit, on_hold: balance.on_hold };
  } catch {
    return null;
  }
}

interface Reading {
  lastId: string | null;
  signal: AbortSignal;
  onEvent: (event: ServerEvent, id?: string) => void;
  onId: (id: string) => void;
  onState: (state: StreamState) => void;
}

/**
 * Returns a signal that aborts the connection after too long a silence. Call `heard` on every sign
 * of life.
 */
function watchdog(outer: AbortSignal) {
  const own = new AbortController();
  let timer = setTimeout(() => own.abort(), SILENT_MS);
  const stop = () => {
    clearTimeout(timer);
    own.abort();
  };
  outer.addEventListener('abort', stop);
  return {
    signal: own.signal,
    heard: () => {
      clearTimeout(timer);
      timer = setTimeout(() => own.abort(), SILENT_MS);
    },
    stop: () => {
      outer.removeEventListener('abort', stop);
      stop();
    },
  };
}

async function readStream({ lastId, signal, onEvent, onId, onState }: Reading): Promise<'again' | 'failed' | 'end'> {
  const token = accessToken.get();
  const dog = watchdog(signal);
  try {
    const response = await fetch('/api/v1/events', {
      headers: { Accept: 'text/event-stream', Authorization: `Bearer ${token}`, ...(lastId ? { 'Last-Event-ID': lastId } : {}) },
      signal: dog.signal,
    });
    if (response.status === 401) return (await refreshSession(token)) ? 'again' : 'end';
    if (!response.ok || !response.body) return 'failed';
    onState('live');
    onEvent({ kind: 'connected', resumed: lastId !== null });
    const parser = createParser({
      onEvent: (message) => {
        if (message.id) onId(message.id);
        const event = decode(message.event, message.data);
        if (event) onEvent(event, message.id);
      },
    });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return 'again';
      dog.heard();
      parser.feed(value);
    }
  } catch {
    return 'failed';
  } finally {
    dog.stop();
  }
}

/**
 * Returns the id from which the first stream starts: the page's start, so that no event between the
 * page's reads and the stream is missing. An event's id is a server time in microseconds. Returns
 * null if unknown.
 */
function firstId(): string | null {
  const begin = pageBegin();
  return begin === null ? null : String(Math.floor(begin * 1000));
}

async function follow(signal: AbortSignal, onEvent: Reading['onEvent'], onState: (state: StreamState) => void): Promise<void> {
  let lastId = firstId();
  let pauseMs = FIRST_RETRY_MS;
  while (!signal.aborted) {
    const onId = (id: string) => {
      lastId = id;
      pauseMs = FIRST_RETRY_MS;
    };
    const outcome = await readStream({ lastId, signal, onEvent, onId, onState });
    if (signal.aborted) return;
    onState('down');
    if (outcome === 'end') return;
    await wait(pauseMs, signal);
    if (outcome === 'failed') pauseMs = Math.min(pauseMs * 2, LONGEST_RETRY_MS);
  }
}

/** Stores the last events of the stream, to repeat them for a new tab. */
function lastEvents() {
  const kept: { event: ServerEvent; id: number }[] = [];
  return {
    keep: (event: ServerEvent, id?: string) => {
      if (!id) return;
      kept.push({ event, id: Number(id) });
      if (kept.length > MOST_TOLD_AGAIN) kept.shift();
    },
    since: (begin: string) => kept.filter(({ id }) => id > Number(begin)).map(({ event }) => event),
  };
}

interface Following {
  onEvent: (event: ServerEvent) => void;
  isLeader: () => boolean;
  /** Returns the events that the leader has received since then. */
  toldSince: (begin: string) => ServerEvent[];
}

/** Follows another tab. If that tab falls silent, the stream counts as down. */
function followTab(channel: Channel<TabMessage>, { onEvent, isLeader, toldSince }: Following) {
  let timer: ReturnType<typeof setTimeout>;
  const expect = () => {
    clearTimeout(timer);
    timer = setTimeout(() => !isLeader() && streamState.set('down'), SILENT_MS);
  };
  expect();
  channel.hear((message) => {
    if (message.kind === 'hello') {
      if (!isLeader()) return;
      channel.post({ kind: 'stream', state: streamState.get() });
      if (message.since !== null) toldSince(message.since).forEach(channel.post);
      return;
    }
    if (isLeader()) return;
    expect();
    if (message.kind === 'stream') streamState.set(message.state);
    else onEvent(message);
  });
  channel.post({ kind: 'hello', since: firstId() });
  return () => clearTimeout(timer);
}

/**
 * Listens to the server. There is one stream per browser if tabs can agree on it, shared over a
 * channel. Returns a function that stops listening.
 */
export function listen(onEvent: (event: ServerEvent) => void): () => void {
  const abort = new AbortController();
  const channel = openChannel<TabMessage>('sooner.events');
  let leads = false;
  let telling: ReturnType<typeof setInterval> | undefined;
  const last = lastEvents();
  const tell = (message: TabMessage) => channel?.post(message);
  const lead = async () => {
    // The lock may be granted just when this page stops listening.
    if (abort.signal.aborted) return;
    leads = true;
    telling = setInterval(() => tell({ kind: 'stream', state: streamState.get() }), TELL_TABS_MS);
    const onState = (state: StreamState) => {
      streamState.set(state);
      tell({ kind: 'stream', state });
    };
    const onOwn: Reading['onEvent'] = (event, id) => {
      last.keep(event, id);
      tell(event);
      onEvent(event);
    };
    return follow(abort.signal, onOwn, onState);
  };
  streamState.set('connecting');
  const stopFollowing = channel ? followTab(channel, { onEvent, isLeader: () => leads, toldSince: last.since }) : null;
  if (navigator.locks && channel) {
    navigator.locks.request('sooner.events', { signal: abort.signal }, lead).catch(() => undefined);
  } else {
    void lead();
  }
  return () => {
    abort.abort();
    clearInterval(telling);
    stopFollowing?.();
    channel?.close();
  };
}
