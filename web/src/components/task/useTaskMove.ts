import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from 'sonner';
import { api } from '../../api/calls.ts';
import { hasCode } from '../../api/errors.ts';
import { queries, queryClient } from '../../api/queries.ts';
import type { Task, TaskPage } from '../../api/types.ts';
import { amount } from '../../i18n/format.ts';
import { errorWords } from '../../lib/errorWords.ts';
import { highlightTask } from '../../lib/highlights.ts';
import { withTask } from '../../lib/liveUpdates.ts';
import { randomKey } from '../../lib/randomKey.ts';
import { offeredMove } from '../../lib/taskView.ts';
import { useDelayedAction } from '../../lib/useDelayedAction.ts';

/** Pausing or starting one task: what is offered, where it stands, and whether the card is busy with it. */
export interface TaskMove {
  kind: 'start' | 'stop' | null;
  delayed: ReturnType<typeof useDelayedAction>;
  busy: boolean;
}

/** Start or stop after the cancellable delay; while it runs the card's other operations wait. */
export function useTaskMove(task: Task): TaskMove {
  const { t } = useTranslation();
  const kind = offeredMove(task);
  const asked = useRef(kind);
  const delayed = useDelayedAction(async () => {
    try {
      const call = asked.current === 'stop' ? api.stopTask : api.startTask;
      const { schedule } = await call(task.id, randomKey());
      queryClient.setQueryData<TaskPage>(queries.tasks().queryKey, (page) => withTask(page, schedule));
      for (const name of ['credit', 'ledger', 'stats']) void queryClient.invalidateQueries({ queryKey: [name] });
      highlightTask(task.id);
      toast.success(asked.current === 'stop' ? t('toast.paused') : t('toast.started'));
    } catch (error) {
      if (hasCode(error, 'INSUFFICIENT_CREDIT')) {
        const data = error.data as { required_amount: number; available_amount: number; currency: string };
        toast.error(
          t('toast.startShort', {
            required: amount(data.required_amount),
            available: amount(data.available_amount),
            currency: data.currency,
          }),
        );
      } else {
        const fallback = asked.current === 'stop' ? 'toast.pauseFailed' : 'toast.startFailed';
        toast.error(t(errorWords(error, fallback)));
      }
    }
  });
  const start = () => {
    asked.current = kind;
    delayed.start();
  };
  return {
    kind: delayed.phase === 'idle' ? kind : asked.current,
    delayed: { ...delayed, start },
    busy: delayed.phase !== 'idle',
  };
}
