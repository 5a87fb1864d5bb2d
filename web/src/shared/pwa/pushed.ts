/** Payload of a push message (crates/providers/src/channels/web_push.rs). */
interface Pushed {
  title?: string;
  body?: string;
  url?: string | null;
  event?: string;
  tag?: string;
}

/** Notification that the service worker shows. */
interface Shown {
  title: string;
  body: string;
  tag: string | undefined;
  /** Keeps the notification open until the user reacts, for questions that expire soon. */
  requireInteraction: boolean;
  /** Path that opens when the user taps the notification. */
  page: string;
}

/**
 * Title of the notification for an unreadable message. Browsers require a notification for every
 * push message.
 */
const NAME = 'Sooner 早签';
const HOME = '/dashboard';

/** Returns the path of an address of this site. For any other address it returns the dashboard. */
export function pageOf(url: unknown, origin: string): string {
  if (typeof url !== 'string' || !URL.canParse(url, origin)) return HOME;
  const at = new URL(url, origin);
  return at.origin === origin ? at.pathname + at.search + at.hash : HOME;
}

function parsed(text: string): Pushed {
  try {
    return (JSON.parse(text) as Pushed | null) ?? {};
  } catch {
    return {};
  }
}

/** Returns the notification for a push message, even if its content is unreadable. */
export function shownOf(text: string | undefined, origin: string): Shown {
  const { title, body, url, event, tag } = parsed(text ?? '');
  return {
    title: title || NAME,
    body: body ?? '',
    tag: tag || undefined,
    requireInteraction: event === 'ask_first',
    page: pageOf(url, origin),
  };
}
