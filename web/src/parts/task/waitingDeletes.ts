import { answer, client } from '../../shared/api/client.ts';
import { hasCode } from '../../shared/api/errors.ts';
import { sessionStore } from '../../shared/api/identity.ts';
import { ofTask } from '../../shared/api/tasks.ts';

const KEY = 'sooner.deleting';

/** Sends a deletion, with `keepalive` if the page is being left. */
export const deleteTask = (id: string, keepalive = false) =>
  answer(client.DELETE('/schedules/{id}', { params: ofTask(id), keepalive }));

/** Stores the user's tasks whose deletion is pending, for the next page. */
export function storeWaitingDeletes(ids: string[]): void {
  const person = sessionStore.get()?.id;
  try {
    if (ids.length === 0 || !person) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify({ person, ids }));
  } catch {
    // Without storage a reload within the five seconds leaves the task unchanged.
  }
}

/** Returns the tasks that a previous page was about to delete for the signed-in user. */
export function waitingDeletes(): string[] {
  try {
    const { person, ids } = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as { person?: string; ids?: string[] };
    return person !== undefined && person === sessionStore.get()?.id ? (ids ?? []) : [];
  } catch {
    return [];
  }
}

/**
 * Sends the deletions on a page without tasks, such as a document. Returns true if there were any.
 * A failure waits for a page with tasks, which retries and reports it.
 */
export async function sendWaitingDeletes(): Promise<boolean> {
  const ids = waitingDeletes();
  const sendOne = async (id: string) => {
    try {
      await deleteTask(id);
      return true;
    } catch (error) {
      return hasCode(error, 'NOT_FOUND');
    }
  };
  const done = await Promise.all(ids.map(sendOne));
  if (ids.length > 0) storeWaitingDeletes(ids.filter((_, at) => !done[at]));
  return ids.length > 0;
}
