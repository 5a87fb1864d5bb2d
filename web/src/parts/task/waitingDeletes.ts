import { answer, client } from '../../shared/api/client.ts';
import { hasCode } from '../../shared/api/errors.ts';
import { sessionStore } from '../../shared/api/identity.ts';
import { ofTask } from '../../shared/api/tasks.ts';

const KEY = 'sooner.deleting';

/** With `keepalive` for a call that is made while the page is left. */
export const deleteTask = (id: string, keepalive = false) =>
  answer(client.DELETE('/schedules/{id}', { params: ofTask(id), keepalive }));

/** Names the tasks of this person whose deletion is still to be made, for the page that comes next. */
export function keepWaiting(ids: string[]): void {
  const person = sessionStore.get()?.id;
  try {
    if (ids.length === 0 || !person) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify({ person, ids }));
  } catch {
    // Without storage a reload within the five seconds leaves the task as it was.
  }
}

/** The tasks a page before this one was about to delete for the person who is signed in. */
export function waitingDeletes(): string[] {
  try {
    const { person, ids } = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as { person?: string; ids?: string[] };
    return person !== undefined && person === sessionStore.get()?.id ? (ids ?? []) : [];
  } catch {
    return [];
  }
}

/**
 * Makes them on a page without tasks, such as a document; true when there were any. What fails waits for a page with tasks, which tries
 * again and says so.
 */
export async function makeWaitingDeletes(): Promise<boolean> {
  const ids = waitingDeletes();
  const made = async (id: string) => {
    try {
      await deleteTask(id);
      return true;
    } catch (error) {
      return hasCode(error, 'NOT_FOUND');
    }
  };
  const done = await Promise.all(ids.map(made));
  if (ids.length > 0) keepWaiting(ids.filter((_, at) => !done[at]));
  return ids.length > 0;
}
