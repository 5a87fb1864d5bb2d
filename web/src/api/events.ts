import { createParser } from 'eventsource-parser';
import { refreshSession } from './session.ts';
import { accessToken } from './tokens.ts';

/** A change of ours somewhere: which kind, and for a task its id. The stream says only that; the data is fetched again. */
export type ServerEvent = { kind: 'task'; id: string; deleted: boolean } | { kind: 'credit' };

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

const wait = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

function decode(event: string | undefined, data: string): ServerEvent | null {
  if (event === 'credit') return { kind: 'credit' };
  if (event !== 'task') return null;
  try {
    const parsed = JSON.parse(data) as { id: string; deleted?: boolean };
    return { kind: 'task', id: parsed.id, deleted: parsed.deleted === true };
  } catch {
    return null;
  }
}

async function readStream(
  lastId: string | null,
  signal: AbortSignal,
  onEvent: (event: ServerEvent) => void,
  onId: (id: string) => void,
) {
  const token = accessToken.get();
  const response = await fetch('/api/v1/events', {
    headers: { Accept: 'text/event-stream', Authorization: `Bearer ${token}`, ...(lastId ? { 'Last-Event-ID': lastId } : {}) },
    signal,
  });
  if (response.status === 401) return (await refreshSession(token)) ? 'again' : 'end';
  if (!response.ok || !response.body) return 'failed';
  const parser = createParser({
    onEvent: (message) => {
      if (message.id) onId(message.id);
      const event = decode(message.event, message.data);
      if (event) onEvent(event);
    },
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return 'again';
    parser.feed(value);
  }
}

async function follow(signal: AbortSignal, onEvent: (event: ServerEvent) => void): Promise<void> {
  let lastId: string | null = null;
  let pauseMs = FIRST_RETRY_MS;
  while (!signal.aborted) {
    const outcome = await readStream(lastId, signal, onEvent, (id) => {
      lastId = id;
      pauseMs = FIRST_RETRY_MS;
    }).catch(() => 'failed' as const);
    if (outcome === 'end') return;
    await wait(pauseMs, signal);
    if (outcome === 'failed') pauseMs = Math.min(pauseMs * 2, LONGEST_RETRY_MS);
  }
}

/** Listens to the server: one stream per browser where tabs can agree on it, told to the others over a channel. Returns the way to stop. */
export function listen(onEvent: (event: ServerEvent) => void): () => void {
  const abort = new AbortController();
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('sooner.events');
  channel?.addEventListener('message', (message: MessageEvent<ServerEvent>) => onEvent(message.data));
  const lead = () =>
    follow(abort.signal, (event) => {
      channel?.postMessage(event);
      onEvent(event);
    });
  if (navigator.locks && channel) {
    navigator.locks.request('sooner.events', { signal: abort.signal }, lead).catch(() => undefined);
  } else {
    void lead();
  }
  return () => {
    abort.abort();
    channel?.close();
  };
}
