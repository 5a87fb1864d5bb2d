import type { Task, TaskAction } from '../../shared/api/types.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';

/**
 * Codes with which the server refuses an action (`Refusal` in the crate `domain`). The type check
 * requires a text for each.
 */
export const REASONS = [
  'already_running',
  'not_running',
  'booking_unconfirmed',
  'submitted_first',
  'no_success_yet',
  'already_rated',
  'needs_new_password',
  'credentials_removed',
  'group_changed',
  'range_over',
  'reschedules_used',
  'none_left',
] as const;
type ActionReason = (typeof REASONS)[number];

const sentences: Record<ActionReason, TextKey> = {
  already_running: 'cap.already_running',
  not_running: 'cap.not_running',
  booking_unconfirmed: 'cap.booking_unconfirmed',
  submitted_first: 'cap.submitted_first',
  no_success_yet: 'cap.no_success_yet',
  already_rated: 'cap.already_rated',
  needs_new_password: 'cap.needs_new_password',
  credentials_removed: 'cap.credentials_removed',
  group_changed: 'cap.group_changed',
  range_over: 'cap.range_over',
  reschedules_used: 'cap.reschedules_used',
  none_left: 'cap.none_left',
};

/** Permission of an action now, with the text beside its disabled button. */
export interface Capability {
  allowed: boolean;
  why: TextKey | null;
}

const isReason = (text: string): text is ActionReason => (REASONS as readonly string[]).includes(text);

/** Returns the text for a reason. Unknown reasons have a general text. */
export function reasonText(reason: string | null): TextKey {
  return reason !== null && isReason(reason) ? sentences[reason] : 'cap.other';
}

/** Returns whether the server permits an action on a task. */
export function capability(task: Task, action: TaskAction): Capability {
  const { allowed, reason } = task.actions[action];
  if (allowed) return { allowed, why: null };
  // Without a number of the site, the server counts with an assumed one.
  const counted = reason === 'none_left' && task.attempts_left === null;
  return { allowed, why: counted ? 'cap.none_counted' : reasonText(reason) };
}

/**
 * Returns whether an action is permitted. During a countdown or a request of the card no action is.
 */
export function capabilityWhile(busy: boolean, task: Task, action: TaskAction): Capability {
  return busy ? { allowed: false, why: 'cap.countdown' } : capability(task, action);
}

/** Returns whether the user must permit one more reschedule before the task can start. */
export const asksForMore = (task: Task) => task.actions.start.reason === 'reschedules_used';

/**
 * Returns whether a task shows the button *start* or *stop*: the permitted one, else the one that
 * fits its state.
 */
export function offeredMove(task: Task): 'start' | 'stop' {
  if (task.actions.stop.allowed) return 'stop';
  if (task.actions.start.allowed) return 'start';
  return task.actions.start.reason === 'already_running' ? 'stop' : 'start';
}
