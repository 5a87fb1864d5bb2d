import { type ListOrder, PAGE_SIZE, sortOf } from '../../shared/api/taskList.ts';
import { readTasks } from '../../shared/api/tasks.ts';

const LARGEST_PAGE = 100;

/**
 * Returns the number of the page that contains a task, in the list without a filter. Returns null
 * if there is none.
 */
export async function findPage(id: string, order: ListOrder): Promise<number | null> {
  for (let next = 1; ; next += 1) {
    const { schedules } = await readTasks(next, LARGEST_PAGE, undefined, sortOf(order));
    const at = schedules.findIndex((task) => task.id === id);
    if (at >= 0) return Math.floor(((next - 1) * LARGEST_PAGE + at) / PAGE_SIZE) + 1;
    if (schedules.length < LARGEST_PAGE) return null;
  }
}
