import { openTabChannel, type TabChannel } from './tabChannel.ts';
import type { StoredSession } from './tokens.ts';

/** Session that one tab sends to another. */
export interface SharedSession {
  session: StoredSession;
  access: string;
}

/** Message between tabs. Messages stay within this browser and this site. */
export type SessionMessage = { kind: 'ask' } | ({ kind: 'session' } & SharedSession) | { kind: 'logout'; family: string };

const CHANNEL_NAME = 'sooner.session';
/**
 * Storage key that signals a sign-out to tabs if the browser has no BroadcastChannel. Its value is
 * no secret.
 */
const SIGNAL_KEY = 'sooner.signal';
const REQUEST_WAIT_MS = 250;

let opened: { channel: TabChannel<SessionMessage> | null } | null = null;
/** Opens the channel at the first call, so that importing this module has no effects. */
const sessionChannel = () => {
  opened ??= { channel: openTabChannel(CHANNEL_NAME) };
  return opened.channel;
};

/** Sends a message to the other tabs. */
export function postToTabs(message: SessionMessage): void {
  const channel = sessionChannel();
  if (channel) {
    channel.post(message);
  } else if (message.kind === 'logout') {
    try {
      localStorage.setItem(SIGNAL_KEY, JSON.stringify({ ...message, nonce: Math.random() }));
    } catch {
      // Without channel and storage, each tab detects the sign-out at its next request.
    }
  }
}

/**
 * Subscribes to messages of other tabs. Without a channel, `onStored` is called when another tab
 * has stored a session.
 */
export function listenToTabs(onMessage: (message: SessionMessage) => void, onStored: () => void): void {
  const channel = sessionChannel();
  if (channel) {
    channel.listen(onMessage);
    return;
  }
  window.addEventListener('storage', (event) => {
    if (event.key === SIGNAL_KEY && event.newValue) onMessage(JSON.parse(event.newValue) as SessionMessage);
    if (event.key === 'sooner.refresh' && event.newValue) onStored();
  });
}

/**
 * Requests the session from the other tabs. Resolves with the first answer that `isEnough` accepts.
 * After 250 ms it resolves with the newest answer, or null.
 */
export function requestFromTabs(isEnough: (shared: SharedSession) => boolean): Promise<SharedSession | null> {
  const channel = sessionChannel();
  if (!channel) return Promise.resolve(null);
  return new Promise((resolve) => {
    let best: SharedSession | null = null;
    const finish = () => {
      clearTimeout(timer);
      stop();
      resolve(best);
    };
    const timer = setTimeout(finish, REQUEST_WAIT_MS);
    const stop = channel.listen((message) => {
      if (message.kind !== 'session') return;
      if (!best || message.session.turn > best.session.turn) best = message;
      if (isEnough(message)) finish();
    });
    channel.post({ kind: 'ask' });
  });
}
