import type { Permission, Task, TaskAction } from '../src/api/types.ts';

const yes: Permission = { allowed: true, reason: null };
const no = (reason: string): Permission => ({ allowed: false, reason });

const IMPOSSIBLE = ['group_gone', 'fee_expired', 'group_changed', 'appointment_passed'];

function start(task: Task): Permission {
  if (task.status === 'submitted' || task.status === 'processing' || task.status === 'active') return no('already_running');
  if (task.status === 'draft' || task.status === 'configured') return no('submitted_first');
  if (task.status_reason === 'booking_unconfirmed') return no('booking_unconfirmed');
  if (task.status_reason === 'credentials_rejected' || task.visa_credentials.health === 'rejected')
    return no('needs_new_password');
  if (IMPOSSIBLE.includes(task.status_reason ?? '')) return no(task.status_reason ?? '');
  return yes;
}

function rate(task: Task): Permission {
  if (task.success_history.length === 0) return no('no_success_yet');
  return task.rating ? no('already_rated') : yes;
}

/** What the server says may be done with a task, as far as the fake needs it. */
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
