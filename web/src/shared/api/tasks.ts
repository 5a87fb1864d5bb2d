import { answer, client } from './client.ts';
import { asTask, type Schemas, type Task, type TaskOrder, type TaskPage } from './types.ts';
import { notifyUnderWay } from './underWay.ts';

/** Statuses of tasks on the dashboard: all except draft and configured. */
const SHOWN_STATUSES = 'submitted,processing,active,stopped,error';

/** Returns the task in a response. */
export const scheduleOf = (data: Pick<Schemas['ScheduleAnswer'], 'schedule'>) => asTask(data.schedule);

/**
 * Returns the task in the response to a change. If a booking request was already sent, it notifies
 * the user.
 */
export const changedOf = (data: Schemas['ScheduleAnswer']) => {
  notifyUnderWay(data.booking_under_way);
  return scheduleOf(data);
};

/** Returns the path parameters of a request about one task. */
export const ofTask = (id: string) => ({ path: { id } });

export async function readTask(id: string): Promise<Task> {
  return scheduleOf(await answer(client.GET('/schedules/{id}/status', { params: ofTask(id) })));
}

/**
 * Requests a page of the user's tasks with some statuses or stages. The default is the statuses of
 * the dashboard.
 */
export async function readTasks(
  page: number,
  page_size: number,
  status: string = SHOWN_STATUSES,
  sort?: TaskOrder,
): Promise<TaskPage> {
  const answered = await answer(client.GET('/schedules', { params: { query: { page, page_size, status, sort } } }));
  return { ...answered, schedules: answered.schedules.map(asTask) };
}

/** Stops a task. */
export const stopTask = (id: string): Promise<Task> =>
  answer(client.POST('/schedules/{id}/stop', { params: ofTask(id) })).then(changedOf);
