import { useMutation } from '@tanstack/react-query';
import { modeOf, type SearchForm, toSearchParams } from '../../parts/criteria/searchForm.ts';
import { answer, client } from '../../shared/api/client.ts';
import { byTask, type Choice } from './wizardChoice.ts';

/** Task whose criteria were rejected, with the reason. */
interface ConfigureFailure {
  id: string;
  names: string[];
  error: unknown;
}

/** Error: the server rejected the criteria of some of the chosen tasks. */
export class NotAllConfigured extends Error {
  constructor(
    readonly failures: ConfigureFailure[],
    readonly done: number,
  ) {
    super('not all tasks were configured');
  }
}

interface ConfigureInput {
  chosen: Choice[];
  form: SearchForm;
  /** Ids of the tasks whose criteria were accepted. */
  configured: string[];
}

async function configureOne(id: string, choices: Choice[], form: SearchForm): Promise<void> {
  const body = {
    schedule_id: id,
    selected_appointments: choices.map(({ appointment: { schedule_id, ivr_account_number } }) => ({
      schedule_id,
      ivr_account_number,
    })),
    search_params: toSearchParams(form),
    booking_mode: modeOf(form),
  };
  await answer(client.POST('/schedules/configure', { body }));
}

/**
 * Returns a mutation that sends the criteria to each chosen task, one request per task. A retry
 * sends them only to the tasks that failed.
 */
export function useConfigure(onSome: (configured: string[]) => void, onAll: () => void) {
  return useMutation({
    networkMode: 'always',
    mutationFn: async ({ chosen, form, configured }: ConfigureInput) => {
      const waiting = byTask(chosen).filter((task) => !configured.includes(task.id));
      const results = await Promise.allSettled(waiting.map((task) => configureOne(task.id, task.choices, form)));
      const failures: ConfigureFailure[] = [];
      const done = [...configured];
      results.forEach((result, index) => {
        const task = waiting[index];
        if (!task) return;
        if (result.status === 'fulfilled') done.push(task.id);
        else
          failures.push({
            id: task.id,
            names: task.choices.flatMap((one) => one.appointment.applicant_names),
            error: result.reason,
          });
      });
      onSome(done);
      if (failures.length > 0) throw new NotAllConfigured(failures, done.length);
    },
    onSuccess: onAll,
  });
}
