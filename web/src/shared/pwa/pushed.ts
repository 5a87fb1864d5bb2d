/** What the server puts into a push message (crates/providers/src/channels/web_push.rs). */
interface Pushed {
  title?: string;
  body?: string;
  url?: string | null;
  event?: string;
  tag?: string;
}

/** What is shown of it. */
interface Shown {
  title: string;
  body: string;
  tag: string | undefined;
  /** Stays until somebody answers: the question is good for two minutes. */
  requireInteraction: boolean;
  /** The page that a tap opens. */
  page: string;
}

/** Said where a message cannot be read: a browser wants something shown for every one. */
const NAME = 'Sooner 早签';
const HOME = '/dashboard';

/** The path of an address of ours; what leads elsewhere leads home. */
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

/** What to show of a push message, whatever came. */
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
