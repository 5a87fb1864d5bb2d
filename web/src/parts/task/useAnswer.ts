import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, client } from '../../shared/api/client.ts';
import { ofTask } from '../../shared/api/tasks.ts';
import type { Question, Task } from '../../shared/api/types.ts';
import { toast } from '../../shared/ui/toasts.ts';
import { approvals, rowOf } from './pendingApproval.ts';
import { type AskedDate, declines } from './question.ts';
import { reloadTask } from './taskCache.ts';

/** States in which an approval was accepted. The card then shows the outcome. */
const COUNTS: Question['state'][] = ['trying', 'booked', 'unknown'];

/** Returns whether the server accepted an approval. */
export const isAccepted = (state: Question['state']) => COUNTS.includes(state);

/**
 * Returns the two answers to a task's question. `approve` sends the approval, returns the state of
 * the question, and rejects if the request failed. `decline` closes the question in this tab and
 * offers *Undo*. The server has no call for it: without an approval nothing is booked.
 */
export function useAnswer(task: Task, asked: AskedDate) {
  const { t } = useTranslation();
  const [sending, setSending] = useState(false);
  const approve = async (): Promise<Question['state']> => {
    setSending(true);
    const { facility, date } = asked;
    try {
      const { state } = await answer(
        client.POST('/schedules/{id}/answer', { params: ofTask(task.id), body: { facility, date } }),
      );
      if (isAccepted(state)) approvals.set({ ...approvals.get(), [task.id]: { ...asked, atMs: Date.now(), row: rowOf(task) } });
      void reloadTask(task.id);
      return state;
    } finally {
      setSending(false);
    }
  };
  const decline = () => {
    declines.set({ ...declines.get(), [task.id]: asked });
    const undo = () => {
      const { [task.id]: _, ...others } = declines.get();
      declines.set(others);
    };
    toast(t('condition.declined'), { action: { label: t('task.undo'), onClick: undo } });
  };
  return { sending, approve, decline };
}
