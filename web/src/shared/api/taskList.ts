import { readTasks } from './tasks.ts';
import type { Task, TaskOrder, TaskPage, TaskStage } from './types.ts';

/** Filters of the dashboard's list. */
export const LIST_FILTERS = ['all', 'running', 'attention', 'paused', 'done'] as const;
export type ListFilter = (typeof LIST_FILTERS)[number];
/** Sort orders of the task list, as the server supports them. */
export const LIST_ORDERS = ['submitted', 'appointment', 'next_check'] as const satisfies TaskOrder[];
export type ListOrder = (typeof LIST_ORDERS)[number];
export interface ListView {
  filter: ListFilter;
  order: ListOrder;
  /** Page number, from 1. */
  page: number;
}

/** Number of tasks on a page of the dashboard. */
export const PAGE_SIZE = 20;
export const FIRST_PAGE: ListView = { filter: 'all', order: 'submitted', page: 1 };

/** Returns whether a task is complete. */
export const isCompleted = (task: Task) => task.stage === 'completed';

/** Stage of the tasks that each filter shows. The server computes the stage of a task. */
const stages = { running: 'running', attention: 'needs_you', paused: 'paused', done: 'completed' } as const satisfies Record<
  Exclude<ListFilter, 'all'>,
  TaskStage
>;

/** Returns whether the list of a filter contains a task. */
export const belongs = (filter: ListFilter, task: Task) => filter === 'all' || task.stage === stages[filter];

/** Returns the `sort` parameter of the request, or undefined for the server's default order. */
export const sortOf = (order: ListOrder) => (order === 'submitted' ? undefined : order);

/** Requests one page of the dashboard's list. */
export function taskPage({ filter, order, page }: ListView): Promise<TaskPage> {
  return readTasks(page, PAGE_SIZE, filter === 'all' ? undefined : stages[filter], sortOf(order));
}
