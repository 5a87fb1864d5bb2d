/** Payload of a push message (crates/providers/src/channels/web_push.rs). */
interface Pushed {
  title?: string;
  body?: string;
  url?: string | null;
  event?: string;
  /** Labels of the buttons of a question. */
  answers?: { yes?: string; no?: string } | null;
  tag?: string;
}

/** Button of a notification. Browsers without buttons ignore it. */
interface Action {
  action: 'yes' | 'no';
  title: string;
}

/** Notification that the service worker shows. */
interface Shown {
  title: string;
  body: string;
  tag: string | undefined;
  /** Keeps the notification open until the user reacts, for questions that expire soon. */
  requireInteraction: boolean;
  /** Buttons of a question: *yes* opens its page, *no* declines at once. */
  actions: Action[];
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

/** Returns the token of the question whose answer page has the path `page`, or null. */
export function tokenOf(page: string, origin: string): string | null {
  return new URL(page, origin).searchParams.get('token');
}

/** Returns the notification for a push message, even if its content is unreadable. */
export function shownOf(text: string | undefined, origin: string): Shown {
  const { title, body, url, event, answers, tag } = parsed(text ?? '');
  const page = pageOf(url, origin);
  const { yes, no } = answers ?? {};
  return {
    title: title || NAME,
    body: body ?? '',
    tag: tag || undefined,
    requireInteraction: event === 'ask_first',
    actions:
      yes && no && tokenOf(page, origin)
        ? [
            { action: 'yes', title: yes },
            { action: 'no', title: no },
          ]
        : [],
    page,
  };
}
