import { capability } from '../../parts/task/capabilities.ts';
import { putTask, reloadTask } from '../../parts/task/taskCache.ts';
import { applicantNames } from '../../parts/task/taskView.ts';
import { queryClient } from '../../shared/api/queries.ts';
import { stopTask } from '../../shared/api/tasks.ts';
import type { Task } from '../../shared/api/types.ts';
import { maskName } from '../../shared/format/mask.ts';
import { joined } from '../../shared/i18n/format.ts';
import type { Language } from '../../shared/i18n/language.ts';

/** Returns the tasks that can be paused now. */
export const stoppable = (tasks: Task[]) => tasks.filter((task) => capability(task, 'stop').allowed);

/** Pauses the tasks one after another. After a failure it continues with the next task. */
export async function pauseEach(tasks: Task[]): Promise<{ paused: number; failed: Task[] }> {
  const failed: Task[] = [];
  for (const task of tasks) {
    try {
      putTask(await stopTask(task.id));
    } catch {
      failed.push(task);
      void reloadTask(task.id);
    }
  }
  for (const name of ['credit', 'ledger', 'stats']) void queryClient.invalidateQueries({ queryKey: [name] });
  return { paused: tasks.length - failed.length, failed };
}

/** Returns the applicants of the tasks as text. Hidden names are masked. */
export function peopleOf(tasks: Task[], hidden: readonly string[], language: Language): string {
  const names = tasks.map((task) => {
    const people = applicantNames(task.appointments);
    const shown = people.length > 0 ? people : [task.portal_schedule_id];
    return (hidden.includes(task.id) ? shown.map(maskName) : shown).join(' & ');
  });
  return joined(names, language);
}
