import { readTasks } from './tasks.ts';
import type { Task, TaskOrder, TaskPage, TaskStage } from './types.ts';

/** Which tasks the dashboard shows. */
export const LIST_FILTERS = ['all', 'running', 'attention', 'paused', 'done'] as const;
export type ListFilter = (typeof LIST_FILTERS)[number];
/** In which order; the server knows the same. */
export const LIST_ORDERS = ['submitted', 'appointment', 'next_check'] as const satisfies TaskOrder[];
export type ListOrder = (typeof LIST_ORDERS)[number];
export interface ListView {
  filter: ListFilter;
  order: ListOrder;
  /** From 1. */
  page: number;
}

/** Tasks on a page of the dashboard. */
export const PAGE_SIZE = 20;
export const FIRST_PAGE: ListView = { filter: 'all', order: 'submitted', page: 1 };

/** Whether a task has done what it was for. */
export const isCompleted = (task: Task) => task.stage === 'completed';

/** The stage a filter asks for: which task stands in which, the server says. */
const stages = { running: 'running', attention: 'needs_you', paused: 'paused', done: 'completed' } as const satisfies Record<
  Exclude<ListFilter, 'all'>,
  TaskStage
>;

/** Whether a task belongs to a filter's list. */
export const belongs = (filter: ListFilter, task: Task) => filter === 'all' || task.stage === stages[filter];

/** What is asked of the server for an order; its own needs no word. */
export const sortOf = (order: ListOrder) => (order === 'submitted' ? undefined : order);

/** One page of the dashboard's list. */
export function taskPage({ filter, order, page }: ListView): Promise<TaskPage> {
  return readTasks(page, PAGE_SIZE, filter === 'all' ? undefined : stages[filter], sortOf(order));
}
