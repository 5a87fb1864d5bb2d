/** Content of the server's push message (crates/providers/src/channels/web_push.rs). */
interface Pushed {
  title?: string;
  body?: string;
  url?: string | null;
  event?: string;
  tag?: string;
}

/** Content of the notification to show. */
interface Shown {
  title: string;
  body: string;
  tag: string | undefined;
  /** Stays until the user answers, because the question lasts two minutes. */
  requireInteraction: boolean;
  /** The page that a tap opens. */
  page: string;
}

/** Text for an unreadable message: a browser requires a notification for each. */
const NAME = 'Sooner 早签';
const HOME = '/dashboard';

/** Returns the path of an address of this site. Other addresses become the home page. */
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

/** Returns the notification for a push message, whatever its content. */
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
