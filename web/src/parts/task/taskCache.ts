import type { QueryKey } from '@tanstack/react-query';
import { hasCode } from '../../shared/api/errors.ts';
import { queries, queryClient } from '../../shared/api/queries.ts';
import { belongs, LIST_FILTERS, type ListFilter } from '../../shared/api/taskList.ts';
import { readTask } from '../../shared/api/tasks.ts';
import type { Task, TaskPage } from '../../shared/api/types.ts';

const LISTS = { queryKey: ['tasks'] };

/** Puts a freshly read task in its place of a page; a page without it stays as it is. Older news never wins. */
function withTask(page: TaskPage | undefined, task: Task): TaskPage | undefined {
  if (!page?.schedules.some((one) => one.id === task.id)) return page;
  const newer = (one: Task) => (one.id === task.id && one.version <= task.version ? task : one);
  return { ...page, schedules: page.schedules.map(newer) };
}

/** A page without a task. */
function withoutTask(page: TaskPage | undefined, id: string): TaskPage | undefined {
  if (!page?.schedules.some((one) => one.id === id)) return page;
  return { ...page, schedules: page.schedules.filter((one) => one.id !== id), total: Math.max(0, page.total - 1) };
}

const filterOf = (key: QueryKey): ListFilter | null => LIST_FILTERS.find((filter) => filter === key[1]) ?? null;

/** What we know of a task, from whichever page or from its own. */
export function knownTask(id: string): Task | null {
  const pages = queryClient.getQueriesData<TaskPage>(LISTS);
  for (const [, page] of pages) {
    const found = page?.schedules.find((one) => one.id === id);
    if (found) return found;
  }
  return queryClient.getQueryData<Task>(queries.task(id).queryKey) ?? null;
}

/** Reads the lists again where they may have moved; what is being read already is not read twice. */
export const refreshLists = () => queryClient.invalidateQueries(LISTS, { cancelRefetch: false });

/**
 * Puts a task everywhere it is shown. Where it stands on no page though it should, or on one it no longer belongs to, the
 * lists are read again: only the server knows who moves up.
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

/** Takes a task that is no more out of every list. */
export function forgetTask(id: string): void {
  for (const [key, page] of queryClient.getQueriesData<TaskPage>(LISTS)) {
    if (page) queryClient.setQueryData<TaskPage>(key, withoutTask(page, id));
  }
  // A page that shows it asks again, and is told that it is gone.
  void queryClient.resetQueries({ queryKey: ['task', id] });
  void refreshLists();
}

/** Reads one task again into every list; tells whether it has had a success since. A task that is gone is taken out. */
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
