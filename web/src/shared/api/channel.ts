/** What tabs of one browser tell each other under one name. */
export interface Channel<M> {
  post: (message: M) => void;
  /** Hears the other tabs; returns the way to stop. */
  hear: (onMessage: (message: M) => void) => () => void;
  close: () => void;
}

/** Opens the channel of that name, or null where the browser has none. */
export function openChannel<M>(name: string): Channel<M> | null {
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
        // The page is being left, which closed the channel: nobody can be told any more, and the next page asks for itself.
      }
    },
    hear: (onMessage) => {
      const listener = (event: MessageEvent<M>) => onMessage(event.data);
      channel.addEventListener('message', listener);
      return () => channel.removeEventListener('message', listener);
    },
    close: () => channel.close(),
  };
}
