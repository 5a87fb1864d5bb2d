import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, client } from '../../shared/api/client.ts';
import { ofTask } from '../../shared/api/tasks.ts';
import type { Question, Task } from '../../shared/api/types.ts';
import { errorText } from '../../shared/format/errorText.ts';
import { toast } from '../../shared/ui/toasts.ts';
import { approvals, rowOf } from './pendingApproval.ts';
import type { AskedDate } from './question.ts';
import { reloadTask } from './taskCache.ts';

/** States in which an approval was accepted. The card then shows the outcome. */
const COUNTS: Question['state'][] = ['trying', 'booked', 'unknown'];

/** Returns whether the server accepted an approval. */
export const isAccepted = (state: Question['state']) => COUNTS.includes(state);

/**
 * Returns the answers to a task's question. `approve` and `bookNow` send an approval, return the
 * state of the question, and reject if the request failed. `bookNow` is accepted while the date is
 * listed, even after the time to answer. `decline` sends a *no* and offers to book nevertheless.
 */
export function useAnswer(task: Task, asked: AskedDate) {
  const { t } = useTranslation();
  const [sending, setSending] = useState(false);
  const { facility, date } = asked;
  const send = async (choice: { answer?: 'no'; late?: true }): Promise<Question['state']> => {
    setSending(true);
    try {
      const body = { facility, date, ...choice };
      const { state } = await answer(client.POST('/schedules/{id}/answer', { params: ofTask(task.id), body }));
      if (isAccepted(state)) approvals.set({ ...approvals.get(), [task.id]: { ...asked, atMs: Date.now(), row: rowOf(task) } });
      await reloadTask(task.id);
      return state;
    } finally {
      setSending(false);
    }
  };
  /** Shows the result of an approval as a toast. */
  const report = (sent: Promise<Question['state']>) =>
    sent.then(
      (state) => (isAccepted(state) ? toast.success(t('condition.yesCounts')) : toast.warning(t('condition.yesTooLate'))),
      (error: unknown) => toast.error(t(errorText(error, 'condition.yesFailed'))),
    );
  const bookNow = () => send({ late: true });
  const decline = () =>
    send({ answer: 'no' }).then(
      (state) => {
        if (state !== 'declined') return void toast.warning(t('condition.noTooLate'));
        const onClick = () => void report(bookNow());
        toast(t('condition.declined'), { action: { label: t('condition.bookAfterAll'), onClick } });
      },
      (error: unknown) => toast.error(t(errorText(error, 'condition.yesFailed'))),
    );
  return { sending, approve: () => send({}), bookNow, decline, report };
}
