import type { Permission, Task, TaskAction, TaskStage } from '../src/shared/api/types.ts';
import { civilToday } from '../src/shared/format/dates.ts';

const yes: Permission = { allowed: true, reason: null };
const no = (reason: string): Permission => ({ allowed: false, reason });

function start(task: Task): Permission {
  if (['submitted', 'processing', 'active'].includes(task.status)) return no('already_running');
  if (task.status_reason === 'booking_unconfirmed' || task.status_reason === 'fingerprints_differ')
    return no('booking_unconfirmed');
  if (task.status_reason === 'credentials_removed') return no('credentials_removed');
  if (task.visa_credentials.health === 'rejected') return no('needs_new_password');
  if (task.schedule_config.search_params.end_date < civilToday(Date.now())) return no('range_over');
  if (!task.schedule_config.keep_current_appointment && task.appointments[0]?.appointment_date) {
    if (task.attempts_left === 0) return no('none_left');
    if (task.reschedules_used >= task.schedule_config.search_params.max_reschedules) return no('reschedules_used');
  }
  if (task.status_reason === 'group_changed') return no('group_changed');
  return yes;
}

function rate(task: Task): Permission {
  if (task.success_history.length === 0) return no('no_success_yet');
  return task.rating ? no('already_rated') : yes;
}

/** Returns the stage of a task, by the same rules as the server (crates/domain). */
export function stageOf(task: Task): TaskStage {
  if (['draft', 'configured'].includes(task.status)) return 'unsubmitted';
  const asked = task.engine.verdict.evidence?.asked;
  const running = ['submitted', 'processing', 'active'].includes(task.status);
  if (running) return asked && Date.parse(asked.until) > Date.now() ? 'needs_you' : 'running';
  if (task.status !== 'stopped') return 'needs_you';
  const usedUp = task.status_reason === 'reschedules_used' && task.success_history.length > 0;
  return task.auto_stopped || usedUp ? 'completed' : 'paused';
}

/** Returns the permitted actions of a task, by the same rules as the server (crates/domain). */
export function actionsOf(task: Task): Record<TaskAction, Permission> {
  const running = ['submitted', 'processing', 'active'].includes(task.status);
  return {
    edit: yes,
    start: start(task),
    stop: running ? yes : no('not_running'),
    delete: yes,
    update_password: yes,
    rate: rate(task),
  };
}
