import { createParser } from 'eventsource-parser';
import { pageStart } from './pageStart.ts';
import { refreshSession } from './session.ts';
import { type StreamState, streamState } from './streamState.ts';
import { openTabChannel, type TabChannel } from './tabChannel.ts';
import { accessToken } from './tokens.ts';

/**
 * Change that the server reports: its kind, and the id of a task. An event contains no task data,
 * so the app loads the task again. Every connection starts with a `credit` event with the balance,
 * which saves a request. `connected` without `resumed` means that events may have been missed.
 */
export type ServerEvent =
  | { kind: 'task'; id: string; deleted: boolean }
  | { kind: 'credit'; credit?: number; on_hold?: number }
  | { kind: 'connected'; resumed: boolean };

/**
 * Message between tabs of one browser: an event, the state of the shared stream, or the request of
 * a new tab for both.
 */
type TabMessage = ServerEvent | { kind: 'stream'; state: StreamState } | { kind: 'hello'; since: string | null };

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;
/** Longest silence of a live stream. The server sends at least one message every 15 s. */
const SILENT_MS = 45_000;
const SHARE_STATE_MS = 15_000;
/** Number of recent events that are stored for tabs that open later. */
const MAX_REPLAYED = 100;

/** Waits for `ms`, or until the browser is online again. */
const waitForRetry = (ms: number, signal: AbortSignal) =>
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

interface StreamOptions {
  lastId: string | null;
  signal: AbortSignal;
  onEvent: (event: ServerEvent, id?: string) => void;
  onId: (id: string) => void;
  onState: (state: StreamState) => void;
}

/**
 * Returns a signal that aborts the connection after `SILENT_MS` without a message. The caller calls
 * `restart` for every message.
 */
function silenceTimer(outer: AbortSignal) {
  const own = new AbortController();
  let timer = setTimeout(() => own.abort(), SILENT_MS);
  const stop = () => {
    clearTimeout(timer);
    own.abort();
  };
  outer.addEventListener('abort', stop);
  return {
    signal: own.signal,
    restart: () => {
      clearTimeout(timer);
      timer = setTimeout(() => own.abort(), SILENT_MS);
    },
    stop: () => {
      outer.removeEventListener('abort', stop);
      stop();
    },
  };
}

async function readStream({ lastId, signal, onEvent, onId, onState }: StreamOptions): Promise<'again' | 'failed' | 'end'> {
  const token = accessToken.get();
  const silence = silenceTimer(signal);
  try {
    const response = await fetch('/api/v1/events', {
      headers: { Accept: 'text/event-stream', Authorization: `Bearer ${token}`, ...(lastId ? { 'Last-Event-ID': lastId } : {}) },
      signal: silence.signal,
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
      silence.restart();
      parser.feed(value);
    }
  } catch {
    return 'failed';
  } finally {
    silence.stop();
  }
}

/**
 * Returns the event id from which the first stream starts, or null if unknown. It is the time of
 * the page's start, so that no event is missed between the page's requests and the stream. Event
 * ids are server times in microseconds.
 */
function firstId(): string | null {
  const begin = pageStart();
  return begin === null ? null : String(Math.floor(begin * 1000));
}

async function followStream(
  signal: AbortSignal,
  onEvent: StreamOptions['onEvent'],
  onState: (state: StreamState) => void,
): Promise<void> {
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
    await waitForRetry(pauseMs, signal);
    if (outcome === 'failed') pauseMs = Math.min(pauseMs * 2, LONGEST_RETRY_MS);
  }
}

/** Creates a buffer of the last events, from which a new tab gets the events that it missed. */
function recentEvents() {
  const recent: { event: ServerEvent; id: number }[] = [];
  return {
    store: (event: ServerEvent, id?: string) => {
      if (!id) return;
      recent.push({ event, id: Number(id) });
      if (recent.length > MAX_REPLAYED) recent.shift();
    },
    since: (begin: string) => recent.filter(({ id }) => id > Number(begin)).map(({ event }) => event),
  };
}

interface FollowOptions {
  onEvent: (event: ServerEvent) => void;
  isLeader: () => boolean;
  /** Returns the events that this tab has received from the server since `begin`. */
  eventsSince: (begin: string) => ServerEvent[];
}

/**
 * Receives events from the tab that holds the stream. If that tab is silent for too long, the
 * stream state becomes `down`.
 */
function followTab(channel: TabChannel<TabMessage>, { onEvent, isLeader, eventsSince }: FollowOptions) {
  let timer: ReturnType<typeof setTimeout>;
  const restartTimer = () => {
    clearTimeout(timer);
    timer = setTimeout(() => !isLeader() && streamState.set('down'), SILENT_MS);
  };
  restartTimer();
  channel.listen((message) => {
    if (message.kind === 'hello') {
      if (!isLeader()) return;
      channel.post({ kind: 'stream', state: streamState.get() });
      if (message.since !== null) eventsSince(message.since).forEach(channel.post);
      return;
    }
    if (isLeader()) return;
    restartTimer();
    if (message.kind === 'stream') streamState.set(message.state);
    else onEvent(message);
  });
  channel.post({ kind: 'hello', since: firstId() });
  return () => clearTimeout(timer);
}

/**
 * Subscribes to the server's events. Tabs of one browser share one stream if they can communicate
 * over a channel. Returns a function that unsubscribes.
 */
export function listenForEvents(onEvent: (event: ServerEvent) => void): () => void {
  const abort = new AbortController();
  const channel = openTabChannel<TabMessage>('sooner.events');
  let leading = false;
  let stateTimer: ReturnType<typeof setInterval> | undefined;
  const last = recentEvents();
  const post = (message: TabMessage) => channel?.post(message);
  const readAsLeader = async () => {
    // The browser may grant the lock at the moment in which this page unsubscribes.
    if (abort.signal.aborted) return;
    leading = true;
    stateTimer = setInterval(() => post({ kind: 'stream', state: streamState.get() }), SHARE_STATE_MS);
    const onState = (state: StreamState) => {
      streamState.set(state);
      post({ kind: 'stream', state });
    };
    const onOwn: StreamOptions['onEvent'] = (event, id) => {
      last.store(event, id);
      post(event);
      onEvent(event);
    };
    return followStream(abort.signal, onOwn, onState);
  };
  streamState.set('connecting');
  const stopFollowing = channel ? followTab(channel, { onEvent, isLeader: () => leading, eventsSince: last.since }) : null;
  if (navigator.locks && channel) {
    navigator.locks.request('sooner.events', { signal: abort.signal }, readAsLeader).catch(() => undefined);
  } else {
    void readAsLeader();
  }
  return () => {
    abort.abort();
    clearInterval(stateTimer);
    stopFollowing?.();
    channel?.close();
  };
}
