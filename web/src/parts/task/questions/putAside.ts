import { onLogout } from '../../../shared/api/session.ts';
import { createStore } from '../../../shared/state/createStore.ts';
import { type AskedDate, isSameQuestion } from '../question.ts';

const KEY = 'sooner.questionsAside';

function stored(): Readonly<Record<string, AskedDate>> {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Record<string, AskedDate>;
  } catch {
    return {};
  }
}

/** Questions that the user put aside in this tab, by task id. They survive a reload. */
export const aside = createStore(stored());

/** Returns whether the user has put a question aside. It does not open by itself again. */
export const isAside = (id: string, asked: AskedDate) => isSameQuestion(asked, aside.get()[id]);

/** Puts a question aside. The row of its task keeps the buttons. */
export function putAside(id: string, asked: AskedDate): void {
  const all = { ...aside.get(), [id]: asked };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // Storage is blocked. The question opens again after a reload.
  }
  aside.set(all);
}

onLogout(() => {
  aside.set({});
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Storage is blocked, so nothing is stored.
  }
});
