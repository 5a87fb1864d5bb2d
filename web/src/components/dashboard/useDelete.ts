import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from 'sonner';
import { api } from '../../api/calls.ts';
import { queries, queryClient } from '../../api/queries.ts';
import type { Task, TaskPage } from '../../api/types.ts';
import { amount } from '../../i18n/format.ts';
import { errorWords } from '../../lib/errorWords.ts';
import { withoutTask } from '../../lib/liveUpdates.ts';

const UNDO_MS = 5_000;

/** Deletion with an undo: the card hides at once, the call is made 5 s later, or when the page is left. */
export function useDelete() {
  const { t } = useTranslation();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const waiting = useRef(new Map<string, ReturnType<typeof setTimeout>>());

  const show = useCallback((id: string) => setHidden((old) => new Set([...old].filter((one) => one !== id))), []);

  const remove = useCallback(
    (task: Task) => {
      const id = task.id;
      const run = async () => {
        waiting.current.delete(id);
        try {
          await api.deleteTask(id);
          queryClient.setQueryData<TaskPage>(queries.tasks().queryKey, (page) => withoutTask(page, id));
          for (const name of ['credit', 'ledger', 'stats']) void queryClient.invalidateQueries({ queryKey: [name] });
        } catch (error) {
          toast.error(t(errorWords(error, 'toast.deleteFailed')));
        }
        show(id);
      };
      setHidden((old) => new Set([...old, id]));
      waiting.current.set(id, setTimeout(run, UNDO_MS));
      const text =
        task.price.on_hold > 0
          ? t('toast.deletedHold', { amount: amount(task.price.on_hold), currency: task.price.currency })
          : t('toast.deleted');
      toast(text, {
        duration: UNDO_MS,
        action: {
          label: t('task.undo'),
          onClick: () => {
            clearTimeout(waiting.current.get(id));
            waiting.current.delete(id);
            show(id);
          },
        },
      });
    },
    [t, show],
  );

  useEffect(() => {
    const flush = () => {
      for (const [id, timer] of waiting.current) {
        clearTimeout(timer);
        void api.deleteTask(id, true).catch(() => undefined);
      }
      waiting.current.clear();
    };
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, []);

  return { hidden, remove };
}
