import { body, client } from '../../shared/api/client.ts';
import { ofTask } from '../../shared/api/tasks.ts';
import type { Task } from '../../shared/api/types.ts';
import { saveFile } from '../../shared/browser/saveFile.ts';
import type { Language } from '../../shared/i18n/language.ts';

/** Downloads the appointment of a task as a calendar file. */
export async function saveAppointment(task: Task, language: Language): Promise<void> {
  const params = { ...ofTask(task.id), query: { language } };
  const headers = { Accept: 'text/calendar, application/json' };
  const file: Blob = await body(client.GET('/schedules/{id}/appointment.ics', { params, headers, parseAs: 'blob' }));
  saveFile(file, `sooner-${task.portal_schedule_id}.ics`);
}
