import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/calls.ts';
import { type ApiError, hasCode } from '../../api/errors.ts';
import { queryClient } from '../../api/queries.ts';
import type { Task } from '../../api/types.ts';
import { amount } from '../../i18n/format.ts';
import { type Capability, capability, offeredMove, reasonWords } from '../../lib/capabilities.ts';
import { errorWords } from '../../lib/errorWords.ts';
import { highlightTask } from '../../lib/highlights.ts';
import { reloadTask } from '../../lib/liveUpdates.ts';
import type { Cost } from '../../lib/pricing.ts';
import { randomKey } from '../../lib/randomKey.ts';
import { forgetTask, putTask } from '../../lib/taskCache.ts';
import { toast } from '../../lib/toasts.ts';
import { useDelayedAction } from '../../lib/useDelayedAction.ts';

/** Pausing or starting one task: what is shown, where it stands, and whether the card is busy with it. */
export interface TaskMove {
  kind: 'start' | 'stop';
  delayed: ReturnType<typeof useDelayedAction>;
  busy: boolean;
  can: Capability;
  /** A start that would cost something else than agreed (a code that is spent by now): asks again, or is let be. */
  repriced: { cost: Cost; confirm: () => void; close: () => void } | null;
}

/** Start or stop after the cancellable delay; while it runs the card's other operations wait. */
export function useTaskMove(task: Task): TaskMove {
  const { t } = useTranslation();
  const kind = offeredMove(task);
  const asked = useRef(kind);
  const [cost, setCost] = useState<Cost | null>(null);
  const agreed = useRef<number>(undefined);

  const failed = (error: unknown) => {
    const { cost_details } = (hasCode(error, 'PRICE_CHANGED') ? (error.data ?? {}) : {}) as { cost_details?: Cost };
    if (cost_details) return setCost(cost_details);
    if (hasCode(error, 'INSUFFICIENT_CREDIT')) return toast.error(shortOf(error));
    if (hasCode(error, 'ILLEGAL_TRANSITION')) {
      // Somebody or something else was faster: the card shows how it is now, the toast why it was refused.
      void reloadTask(task.id);
      const { reason } = (error.data ?? {}) as { reason?: string };
      return toast.error(t(reason ? reasonWords(reason) : 'task.illegal'));
    }
    if (hasCode(error, 'NOT_FOUND')) forgetTask(task.id);
    return toast.error(t(errorWords(error, asked.current === 'stop' ? 'toast.pauseFailed' : 'toast.startFailed')));
  };

  const shortOf = (error: ApiError) => {
    const data = error.data as { required_amount: number; available_amount: number; currency: string };
    return t('toast.startShort', {
      required: amount(data.required_amount),
      available: amount(data.available_amount),
      currency: data.currency,
    });
  };

  const delayed = useDelayedAction(async () => {
    try {
      const { schedule } =
        asked.current === 'stop'
          ? await api.stopTask(task.id, randomKey())
          : await api.startTask(task.id, randomKey(), agreed.current);
      putTask(schedule);
      for (const name of ['credit', 'ledger', 'stats']) void queryClient.invalidateQueries({ queryKey: [name] });
      highlightTask(task.id);
      toast.success(asked.current === 'stop' ? t('toast.paused') : t('toast.started'));
    } catch (error) {
      failed(error);
    }
  }, 'run');

  const start = () => {
    if (delayed.phase !== 'idle') return;
    asked.current = kind;
    agreed.current = undefined;
    delayed.start();
  };
  const repriced = cost && {
    cost,
    close: () => setCost(null),
    confirm: () => {
      setCost(null);
      agreed.current = cost.total_amount;
      delayed.start();
    },
  };
  const busy = delayed.phase !== 'idle';
  return { kind: busy ? asked.current : kind, delayed: { ...delayed, start }, busy, can: capability(task, kind), repriced };
}
