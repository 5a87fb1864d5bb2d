import { answer, client } from './client.ts';
import { asTask, type Schemas, type Task, type TaskOrder, type TaskPage } from './types.ts';
import { notifyUnderWay } from './underWay.ts';

/** Statuses the dashboard asks for: everything but draft and configured. */
const SHOWN_STATUSES = 'submitted,processing,active,stopped,error';

/** What a call about one task says of it. */
export const scheduleOf = (data: Pick<Schemas['ScheduleAnswer'], 'schedule'>) => asTask(data.schedule);

/** The same of a change: a booking that was under way before it is notified. */
export const changedOf = (data: Schemas['ScheduleAnswer']) => {
  notifyUnderWay(data.booking_under_way);
  return scheduleOf(data);
};

/** The path of a call about one task. */
export const ofTask = (id: string) => ({ path: { id } });

export async function readTask(id: string): Promise<Task> {
  return scheduleOf(await answer(client.GET('/schedules/{id}/status', { params: ofTask(id) })));
}

/** A page of one's own tasks in some statuses or stages, those the dashboard shows unless named. */
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
