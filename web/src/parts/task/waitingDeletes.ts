import { answer, client } from '../../shared/api/client.ts';
import { hasCode } from '../../shared/api/errors.ts';
import { sessionStore } from '../../shared/api/identity.ts';
import { ofTask } from '../../shared/api/tasks.ts';

const KEY = 'sooner.deleting';

/** Sends the deletion of a task. `keepalive` is for a page that the user leaves. */
export const deleteTask = (id: string, keepalive = false) =>
  answer(client.DELETE('/schedules/{id}', { params: ofTask(id), keepalive }));

/** Stores the ids of the tasks whose deletion is pending, for the next page. */
export function storeWaitingDeletes(ids: string[]): void {
  const person = sessionStore.get()?.id;
  try {
    if (ids.length === 0 || !person) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify({ person, ids }));
  } catch {
    // Storage is blocked. A reload within the five seconds then cancels the deletion.
  }
}

/**
 * Returns the ids of the tasks whose deletion was pending on the previous page, for the same user.
 */
export function waitingDeletes(): string[] {
  try {
    const { person, ids } = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as { person?: string; ids?: string[] };
    return person !== undefined && person === sessionStore.get()?.id ? (ids ?? []) : [];
  } catch {
    return [];
  }
}

/**
 * Sends the pending deletions from a page without tasks. Returns true if there were any. After a
 * failure the next page with tasks retries and reports it.
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
