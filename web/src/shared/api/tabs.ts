import { type Channel, openChannel } from './channel.ts';
import type { StoredSession } from './tokens.ts';

/** A session that one tab passes to another. */
export interface Shared {
  session: StoredSession;
  access: string;
}

/** Messages between tabs. They stay within this browser and this site. */
export type Message = { kind: 'ask' } | ({ kind: 'session' } & Shared) | { kind: 'logout'; family: string };

const NAME = 'sooner.session';
/** Storage key that signals a sign-out without BroadcastChannel. It holds no secret. */
const NOTE = 'sooner.signal';
const ASK_WAIT_MS = 250;

let opened: { channel: Channel<Message> | null } | null = null;
/** Opened by the first caller, so that loading this module has no effects. */
const theChannel = () => {
  opened ??= { channel: openChannel(NAME) };
  return opened.channel;
};

/** Sends a message to the other tabs. */
export function tell(message: Message): void {
  const channel = theChannel();
  if (channel) {
    channel.post(message);
  } else if (message.kind === 'logout') {
    try {
      localStorage.setItem(NOTE, JSON.stringify({ ...message, nonce: Math.random() }));
    } catch {
      // Without channel and storage each tab notices it at its next request.
    }
  }
}

/**
 * Listens to the other tabs. `onStored` fires when another tab stored a persistent session, if tabs
 * have no channel.
 */
export function hear(onMessage: (message: Message) => void, onStored: () => void): void {
  const channel = theChannel();
  if (channel) {
    channel.hear(onMessage);
    return;
  }
  window.addEventListener('storage', (event) => {
    if (event.key === NOTE && event.newValue) onMessage(JSON.parse(event.newValue) as Message);
    if (event.key === 'sooner.refresh' && event.newValue) onStored();
  });
}

/**
 * Requests the session from the other tabs. Returns the first answer that is `enough`, else the
 * newest within a quarter of a second.
 */
export function askOtherTabs(enough: (shared: Shared) => boolean): Promise<Shared | null> {
  const channel = theChannel();
  if (!channel) return Promise.resolve(null);
  return new Promise((resolve) => {
    let best: Shared | null = null;
    const finish = () => {
      clearTimeout(timer);
      stop();
      resolve(best);
    };
    const timer = setTimeout(finish, ASK_WAIT_MS);
    const stop = channel.hear((message) => {
      if (message.kind !== 'session') return;
      if (!best || message.session.turn > best.session.turn) best = message;
      if (enough(message)) finish();
    });
    channel.post({ kind: 'ask' });
  });
}
