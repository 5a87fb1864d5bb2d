import { openTabChannel, type TabChannel } from './tabChannel.ts';
import type { StoredSession } from './tokens.ts';

/** A session that one tab passes to another. */
export interface SharedSession {
  session: StoredSession;
  access: string;
}

/** Messages between tabs. They stay within this browser and this site. */
export type SessionMessage = { kind: 'ask' } | ({ kind: 'session' } & SharedSession) | { kind: 'logout'; family: string };

const CHANNEL_NAME = 'sooner.session';
/** Storage key that signals a sign-out without BroadcastChannel. It holds no secret. */
const SIGNAL_KEY = 'sooner.signal';
const REQUEST_WAIT_MS = 250;

let opened: { channel: TabChannel<SessionMessage> | null } | null = null;
/** Opened by the first caller, so that loading this module has no effects. */
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
      // Without channel and storage each tab notices it at its next request.
    }
  }
}

/**
 * Listens to the other tabs. `onStored` fires when another tab stored a persistent session, if tabs
 * have no channel.
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
 * Requests the session from the other tabs. Returns the first answer that `isEnough`, else the
 * newest within a quarter of a second.
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
