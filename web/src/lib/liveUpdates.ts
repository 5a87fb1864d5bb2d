import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from 'sonner';
import { api } from '../api/calls.ts';
import { listen, type ServerEvent } from '../api/events.ts';
import { queries, queryClient } from '../api/queries.ts';
import type { Task, TaskPage } from '../api/types.ts';
import { highlightTask } from './highlights.ts';
import { useCityName } from './useCityName.ts';

const key = queries.tasks().queryKey;

/** Puts a freshly read task in its place of the list, or before all others when it is new. */
export function withTask(page: TaskPage | undefined, task: Task): TaskPage | undefined {
  if (!page) return page;
  const known = page.schedules.some((one) => one.id === task.id);
  const schedules = known
    ? page.schedules.map((one) => (one.id === task.id && one.version <= task.version ? task : one))
    : [task, ...page.schedules];
  return { ...page, schedules, total: known ? page.total : page.total + 1 };
}

/** The list without a task. */
export function withoutTask(page: TaskPage | undefined, id: string): TaskPage | undefined {
  if (!page) return page;
  const schedules = page.schedules.filter((one) => one.id !== id);
  return { ...page, schedules, total: page.total - (page.schedules.length - schedules.length) };
}

/** Reads one task again into the list; tells whether it has had a success since. */
export async function reloadTask(id: string): Promise<{ task: Task; won: boolean } | null> {
  const before = queryClient.getQueryData<TaskPage>(key)?.schedules.find((one) => one.id === id);
  const task = await api.task(id).catch(() => null);
  if (!task) return null;
  if (task.status === 'draft' || task.status === 'configured') return null;
  queryClient.setQueryData<TaskPage>(key, (page) => withTask(page, task));
  return { task, won: before !== undefined && task.success_history.length > before.success_history.length };
}

/** Follows the server's events for as long as someone is signed in: changed cards shine for 2 s, a booking says so. */
export function useLiveUpdates(signedIn: boolean): void {
  const { t } = useTranslation();
  const cityName = useCityName();
  const announce = useRef((_: Task) => undefined as unknown);
  announce.current = (task) => {
    const move = [...task.success_history].sort((a, b) => b.timestamp.localeCompare(a.timestamp))[0];
    if (move) toast.success(t('toast.booked', { city: cityName(move.toLocation), date: move.date }));
  };
  useEffect(() => {
    if (!signedIn) return;
    const onEvent = async (event: ServerEvent) => {
      for (const name of ['credit', 'ledger', 'stats']) void queryClient.invalidateQueries({ queryKey: [name] });
      if (event.kind !== 'task') return;
      if (event.deleted) {
        queryClient.setQueryData<TaskPage>(key, (page) => withoutTask(page, event.id));
        return;
      }
      const read = await reloadTask(event.id);
      if (!read?.won) return;
      highlightTask(event.id);
      announce.current(read.task);
    };
    return listen((event) => void onEvent(event));
  }, [signedIn]);
}
