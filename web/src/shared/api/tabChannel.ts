/** Channel between the tabs of one browser, by name. */
export interface TabChannel<M> {
  post: (message: M) => void;
  /** Listens to the other tabs. Returns a function that stops listening. */
  listen: (onMessage: (message: M) => void) => () => void;
  close: () => void;
}

/** Opens the channel of that name, or returns null if the browser has none. */
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
        // Leaving the page closed the channel. No tab can be reached, and the next page requests
        // the data itself.
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
