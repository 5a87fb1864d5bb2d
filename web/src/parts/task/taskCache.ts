import type { QueryKey } from '@tanstack/react-query';
import { hasCode } from '../../shared/api/errors.ts';
import { queries, queryClient } from '../../shared/api/queries.ts';
import { belongs, LIST_FILTERS, type ListFilter } from '../../shared/api/taskList.ts';
import { readTask } from '../../shared/api/tasks.ts';
import type { Task, TaskPage } from '../../shared/api/types.ts';

const LISTS = { queryKey: ['tasks'] };

/**
 * Replaces a task in its page by a newly read one. A page without it is unchanged. Older data never
 * wins.
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

/** Returns the known data of a task, from any page or its own query. */
export function knownTask(id: string): Task | null {
  const pages = queryClient.getQueriesData<TaskPage>(LISTS);
  for (const [, page] of pages) {
    const found = page?.schedules.find((one) => one.id === id);
    if (found) return found;
  }
  return queryClient.getQueryData<Task>(queries.task(id).queryKey) ?? null;
}

/** Reloads the lists that may have changed. A running read is not repeated. */
export const refreshLists = () => queryClient.invalidateQueries(LISTS, { cancelRefetch: false });

/**
 * Updates a task everywhere it is shown. If it is missing on a page or no longer belongs there, the
 * lists are reloaded, because only the server knows the next tasks.
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

/** Removes a deleted task from every list. */
export function forgetTask(id: string): void {
  for (const [key, page] of queryClient.getQueriesData<TaskPage>(LISTS)) {
    if (page) queryClient.setQueryData<TaskPage>(key, withoutTask(page, id));
  }
  // A page that shows it requests it again and learns that it is gone.
  void queryClient.resetQueries({ queryKey: ['task', id] });
  void refreshLists();
}

/**
 * Reloads one task into every list, and returns whether it has had a success since. A deleted task
 * is removed.
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
