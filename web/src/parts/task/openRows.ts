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

/** Cards that the user opened or closed in this tab. */
const rows = createStore<Rows | null>(null);

/**
 * Returns whether the card of a task is open, and a function that toggles it. The state survives a
 * reload. If the task is `alone`, its card is open at first.
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
      // Storage is blocked. The state lasts until the page closes.
    }
  };
  return [open, toggle];
}
