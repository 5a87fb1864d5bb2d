import { readTasks } from './tasks.ts';
import type { Task, TaskPage } from './types.ts';

/** Which tasks the dashboard shows. */
export const LIST_FILTERS = ['all', 'running', 'attention', 'paused', 'done'] as const;
export type ListFilter = (typeof LIST_FILTERS)[number];
export interface ListView {
  filter: ListFilter;
  /** From 1. */
  page: number;
}

/** Tasks on a page of the dashboard. */
export const PAGE_SIZE = 20;
export const FIRST_PAGE: ListView = { filter: 'all', page: 1 };

/** Whether a task has done what it was for: it stopped by itself after a booking, or has used the reschedules it was allowed. */
export const isCompleted = (task: Task) =>
  task.status === 'stopped' &&
  (task.auto_stopped || (task.status_reason === 'reschedules_used' && task.success_history.length > 0));

const RUNNING_STATUSES = 'submitted,processing,active';
const LARGEST_PAGE = 100;

/** Whether a task belongs to a filter's list. */
export const belongs: Record<ListFilter, (task: Task) => boolean> = {
  all: () => true,
  running: (task) => RUNNING_STATUSES.split(',').includes(task.status),
  attention: (task) => task.status === 'error',
  paused: (task) => task.status === 'stopped' && !isCompleted(task),
  done: isCompleted,
};

/** The server tells paused from completed by no status: the stopped ones are read and sifted here, however many they are. */
async function stoppedPage(filter: 'paused' | 'done', page: number): Promise<TaskPage> {
  const all: Task[] = [];
  for (let next = 1; ; next += 1) {
    const answer = await readTasks(next, LARGEST_PAGE, 'stopped');
    all.push(...answer.schedules);
    if (answer.schedules.length < LARGEST_PAGE || all.length >= answer.total) break;
  }
  const found = all.filter(belongs[filter]);
  const from = (page - 1) * PAGE_SIZE;
  return { schedules: found.slice(from, from + PAGE_SIZE), page, page_size: PAGE_SIZE, total: found.length };
}

const statuses = { all: undefined, running: RUNNING_STATUSES, attention: 'error' } as const;

/** One page of the dashboard's list. */
export function taskPage({ filter, page }: ListView): Promise<TaskPage> {
  if (filter === 'paused' || filter === 'done') return stoppedPage(filter, page);
  return readTasks(page, PAGE_SIZE, statuses[filter]);
}

/** The page of all tasks on which one stands; null when it stands on none. */
export async function findPage(id: string): Promise<number | null> {
  for (let next = 1; ; next += 1) {
    const { schedules } = await readTasks(next, LARGEST_PAGE);
    const at = schedules.findIndex((task) => task.id === id);
    if (at >= 0) return Math.floor(((next - 1) * LARGEST_PAGE + at) / PAGE_SIZE) + 1;
    if (schedules.length < LARGEST_PAGE) return null;
  }
}
