import { createStore } from '../../shared/state/createStore.ts';
import { useStore } from '../../shared/state/useStore.ts';

const KEY = 'sooner.dashboard.open';

type Rows = Readonly<Record<string, boolean>>;

function stored(): Rows {
  try {
    const rows: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    return typeof rows === 'object' && rows !== null ? (rows as Rows) : {};
  } catch {
    return {};
  }
}

/** The rows that the user opened or closed in this tab. */
const rows = createStore<Rows | null>(null);

/**
 * Returns whether a task's card is open, and a function that toggles it. A reload preserves it.
 * `alone` is open until it is closed.
 */
export function useOpenRow(id: string, alone: boolean): [boolean, () => void] {
  const chosen = useStore(rows, (all) => (all ?? stored())[id]);
  const open = chosen ?? alone;
  const toggle = () => {
    const next = { ...(rows.get() ?? stored()), [id]: !open };
    rows.set(next);
    try {
      sessionStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // Without storage it lasts as long as the page.
    }
  };
  return [open, toggle];
}
