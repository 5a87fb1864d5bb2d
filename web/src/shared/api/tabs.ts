import { type Channel, openChannel } from './channel.ts';
import type { StoredSession } from './tokens.ts';

/** A sign-in as one tab hands it to another. */
export interface Shared {
  session: StoredSession;
  access: string;
}

/** What tabs tell each other. Messages stay within this browser and this site. */
export type Message = { kind: 'ask' } | ({ kind: 'session' } & Shared) | { kind: 'logout'; family: string };

const NAME = 'sooner.session';
/** Where there is no BroadcastChannel, a sign-out is told by a stored note. It holds no secret. */
const NOTE = 'sooner.signal';
const ASK_WAIT_MS = 250;

let opened: { channel: Channel<Message> | null } | null = null;
/** Opened by the first who needs it: reading this module has no effects. */
const theChannel = () => {
  opened ??= { channel: openChannel(NAME) };
  return opened.channel;
};

/** Tells the other tabs. */
export function tell(message: Message): void {
  const channel = theChannel();
  if (channel) {
    channel.post(message);
  } else if (message.kind === 'logout') {
    try {
      localStorage.setItem(NOTE, JSON.stringify({ ...message, nonce: Math.random() }));
    } catch {
      // No channel and no storage: each tab finds out by its next call.
    }
  }
}

/** Hears the other tabs. `onStored` fires when another tab signed in for good, where tabs have no channel. */
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

/** Asks the other tabs for their sign-in: the first answer that is `enough`, else the newest heard in a quarter of a second. */
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
