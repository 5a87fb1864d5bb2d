import type { QueryKey } from '@tanstack/react-query';
import { hasCode } from '../../shared/api/errors.ts';
import { queries, queryClient } from '../../shared/api/queries.ts';
import { belongs, LIST_FILTERS, type ListFilter } from '../../shared/api/taskList.ts';
import { readTask } from '../../shared/api/tasks.ts';
import type { Task, TaskPage } from '../../shared/api/types.ts';

const LISTS = { queryKey: ['tasks'] };

/**
 * Returns a page of the list with newer data of one task. Older data is ignored. A page without the
 * task is unchanged.
 */
function withTask(page: TaskPage | undefined, task: Task): TaskPage | undefined {
  if (!page?.schedules.some((one) => one.id === task.id)) return page;
  const newer = (one: Task) => (one.id === task.id && one.version <= task.version ? task : one);
  return { ...page, schedules: page.schedules.map(newer) };
}

/** Returns a page without a task. */
function withoutTask(page: TaskPage | undefined, id: string): TaskPage | undefined {
  if (!page?.schedules.some((one) => one.id === id)) return page;
  return { ...page, schedules: page.schedules.filter((one) => one.id !== id), total: Math.max(0, page.total - 1) };
}

const filterOf = (key: QueryKey): ListFilter | null => LIST_FILTERS.find((filter) => filter === key[1]) ?? null;

/** Returns the cached data of a task, from a list or from its own query. */
export function knownTask(id: string): Task | null {
  const pages = queryClient.getQueriesData<TaskPage>(LISTS);
  for (const [, page] of pages) {
    const found = page?.schedules.find((one) => one.id === id);
    if (found) return found;
  }
  return queryClient.getQueryData<Task>(queries.task(id).queryKey) ?? null;
}

/** Reloads all lists of tasks, unless a request already runs. */
export const refreshLists = () => queryClient.invalidateQueries(LISTS, { cancelRefetch: false });

/**
 * Stores new data of a task in every list and in its own query. If the task is missing in a list or
 * no longer belongs there, the lists are reloaded, because only the server knows their tasks.
 */
export function putTask(task: Task): void {
  let misplaced = false;
  let known = false;
  for (const [key, page] of queryClient.getQueriesData<TaskPage>(LISTS)) {
    if (!page) continue;
    const there = page.schedules.some((one) => one.id === task.id);
    const filter = filterOf(key);
    known ||= there;
    if (there) queryClient.setQueryData<TaskPage>(key, withTask(page, task));
    if (filter && there && !belongs(filter, task)) misplaced = true;
    if (filter && filter !== 'all' && !there && belongs(filter, task)) misplaced = true;
  }
  queryClient.setQueryData<Task>(queries.task(task.id).queryKey, (old) => (old && old.version > task.version ? old : task));
  if (misplaced || !known) void refreshLists();
}

/** Removes a deleted task from every list and from its own query. */
export function forgetTask(id: string): void {
  for (const [key, page] of queryClient.getQueriesData<TaskPage>(LISTS)) {
    if (page) queryClient.setQueryData<TaskPage>(key, withoutTask(page, id));
  }
  // A page that shows the task requests it again, and the server answers that it does not exist.
  void queryClient.resetQueries({ queryKey: ['task', id] });
  void refreshLists();
}

/**
 * Reloads one task into every list. `won` is true if it has a booking that was not cached before.
 * If the task was deleted, it is removed.
 */
export async function reloadTask(id: string): Promise<{ task: Task; won: boolean } | null> {
  const before = knownTask(id);
  try {
    const task = await readTask(id);
    if (task.status === 'draft' || task.status === 'configured') return null;
    putTask(task);
    return { task, won: before !== null && task.success_history.length > before.success_history.length };
  } catch (error) {
    if (hasCode(error, 'NOT_FOUND')) forgetTask(id);
    return null;
  }
}
