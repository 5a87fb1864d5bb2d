import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, client } from '../../shared/api/client.ts';
import { hasCode } from '../../shared/api/errors.ts';
import type { Cost, Shortage } from '../../shared/api/pricing.ts';
import { queryClient } from '../../shared/api/queries.ts';
import { ofTask, scheduleOf, stopTask } from '../../shared/api/tasks.ts';
import type { Task } from '../../shared/api/types.ts';
import { errorText } from '../../shared/format/errorText.ts';
import { useDelayedAction } from '../../shared/hooks/useDelayedAction.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { toast } from '../../shared/ui/toasts.ts';
import { asksForMore, type Capability, capability, offeredMove, reasonText } from './capabilities.ts';
import { conditionView, isMove, startTexts } from './condition.ts';
import { highlightTask } from './highlights.ts';
import { forgetTask, putTask, reloadTask } from './taskCache.ts';

/** Pausing or starting one task: the kind, the countdown, and the dialogs that a start may need. */
export interface TaskMove {
  kind: 'start' | 'stop';
  /** Label of the button. */
  label: TextKey;
  delayed: ReturnType<typeof useDelayedAction>;
  busy: boolean;
  can: Capability;
  /**
   * The price differs from the agreed one, because a code can no longer be used. The user confirms
   * the new price or cancels.
   */
  repriced: { cost: Cost; confirm: () => void; close: () => void } | null;
  /** All permitted reschedules are used. The user permits one more or cancels. */
  more: { start: (allowed: Task) => Promise<void>; close: () => void } | null;
  /** The balance is too low. The user tops up and continues, or cancels. */
  short: { shortage: Shortage; resume: () => void; close: () => void } | null;
}

function begin(id: string, expected_total: number | undefined): Promise<Task> {
  const body = expected_total === undefined ? undefined : { expected_total };
  return answer(client.POST('/schedules/{id}/start', { params: ofTask(id), body })).then(scheduleOf);
}

/**
 * Provides the start or the stop of a task, after a cancellable delay. During the delay all other
 * actions of the card are disabled.
 */
export function useTaskMove(task: Task): TaskMove {
  const { t } = useTranslation();
  const kind = offeredMove(task);
  const asked = useRef(kind);
  const [cost, setCost] = useState<Cost | null>(null);
  const [shortage, setShortage] = useState<Shortage | null>(null);
  const [asking, setAsking] = useState(false);
  const agreed = useRef<number>(undefined);

  const failed = (error: unknown) => {
    const { cost_details } = (hasCode(error, 'PRICE_CHANGED') ? (error.data ?? {}) : {}) as { cost_details?: Cost };
    if (cost_details) return setCost(cost_details);
    if (hasCode(error, 'INSUFFICIENT_CREDIT')) {
      void queryClient.invalidateQueries({ queryKey: ['credit'] });
      return setShortage(error.data as Shortage);
    }
    if (hasCode(error, 'ILLEGAL_TRANSITION')) {
      // The task changed before the request arrived. The card is reloaded, and the toast shows the
      // reason.
      void reloadTask(task.id);
      const { reason } = (error.data ?? {}) as { reason?: string };
      return toast.error(t(reason ? reasonText(reason) : 'problem.illegal'));
    }
    if (hasCode(error, 'NOT_FOUND')) forgetTask(task.id);
    return toast.error(t(errorText(error, asked.current === 'stop' ? 'toast.pauseFailed' : 'toast.startFailed')));
  };

  const run = async () => {
    try {
      putTask(asked.current === 'stop' ? await stopTask(task.id) : await begin(task.id, agreed.current));
      for (const name of ['credit', 'ledger', 'stats']) void queryClient.invalidateQueries({ queryKey: [name] });
      highlightTask(task.id);
      toast.success(asked.current === 'stop' ? t('toast.paused') : t('toast.started'));
    } catch (error) {
      failed(error);
    }
  };
  const delayed = useDelayedAction(run, 'run');

  const start = () => {
    if (delayed.phase !== 'idle') return;
    asked.current = kind;
    agreed.current = undefined;
    if (kind === 'start' && asksForMore(task)) setAsking(true);
    else delayed.start();
  };
  const more = asking
    ? {
        close: () => setAsking(false),
        start: (allowed: Task) => {
          putTask(allowed);
          return run();
        },
      }
    : null;
  const repriced = cost && {
    cost,
    close: () => setCost(null),
    confirm: () => {
      setCost(null);
      agreed.current = cost.total_amount;
      delayed.start();
    },
  };
  const short = shortage && {
    shortage,
    close: () => setShortage(null),
    resume: () => {
      setShortage(null);
      delayed.start();
    },
  };
  const busy = delayed.phase !== 'idle';
  const shown = busy ? asked.current : kind;
  const { action } = conditionView(task, Date.now());
  return {
    kind: shown,
    label: shown === 'stop' ? 'task.pause' : startTexts[isMove(action) ? action : 'start'],
    delayed: { ...delayed, start },
    busy,
    can: kind === 'start' && asksForMore(task) ? { allowed: true, why: null } : capability(task, kind),
    more,
    repriced,
    short,
  };
}
