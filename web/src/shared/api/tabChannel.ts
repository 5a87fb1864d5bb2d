/** Message channel between the tabs of one browser. */
export interface TabChannel<M> {
  post: (message: M) => void;
  /** Subscribes to messages of the other tabs. Returns a function that unsubscribes. */
  listen: (onMessage: (message: M) => void) => () => void;
  close: () => void;
}

/** Opens the channel `name`. Returns null if the browser does not support channels. */
export function openTabChannel<M>(name: string): TabChannel<M> | null {
  if (typeof BroadcastChannel === 'undefined') return null;
  let channel: BroadcastChannel;
  try {
    channel = new BroadcastChannel(name);
  } catch {
    return null;
  }
  return {
    post: (message) => {
      try {
        channel.postMessage(message);
      } catch {
        // The channel was closed when the user left the page. The next page requests the data
        // itself.
      }
    },
    listen: (onMessage) => {
      const listener = (event: MessageEvent<M>) => onMessage(event.data);
      channel.addEventListener('message', listener);
      return () => channel.removeEventListener('message', listener);
    },
    close: () => channel.close(),
  };
}
