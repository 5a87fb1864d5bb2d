import type { Question, Task } from '../../../shared/api/types.ts';
import type { TextKey } from '../../../shared/i18n/textKey.ts';
import { pendingApproval } from '../pendingApproval.ts';
import type { AskedDate } from '../question.ts';

type Tone = 'ok' | 'info' | 'warning';

/** Text about a question that is no longer open. `busy` means that the booking runs. */
export interface Outcome {
  tone: Tone;
  text: TextKey;
  busy?: boolean;
}

/** Texts for the reasons why an approval had no effect. */
const refused: { [state in Question['state']]?: TextKey } = {
  gone: 'ask.gone',
  late: 'ask.late',
  edited: 'ask.edited',
  moved: 'ask.moved',
  paused: 'ask.paused',
};

/** Returns the text for the server's response to an approval that it did not accept. */
export const refusal = (state: Question['state']): Outcome => ({ tone: 'info', text: refused[state] ?? 'ask.notBooked' });

/** Returns the result of an accepted approval, as far as the task shows it. */
export function followed(task: Task, asked: AskedDate, nowMs: number): Outcome {
  const { code } = task.engine.verdict;
  const booked = task.success_history.some(({ date, toLocation }) => date === asked.date && toLocation === asked.facility);
  if (booked) return { tone: 'ok', text: 'ask.booked' };
  if (code === 'booking_unconfirmed') return { tone: 'warning', text: 'ask.unknown' };
  if (code === 'booking' || pendingApproval(task, nowMs)) return { tone: 'info', text: 'ask.trying', busy: true };
  return { tone: 'info', text: 'ask.unclear' };
}
