import { useEffect } from 'react';
import { findPage, type ListView } from '../../api/taskList.ts';
import type { TaskPage } from '../../api/types.ts';
import { forgetAwaited, useAwaited } from '../../lib/highlights.ts';

/** Turns to the page of a task somebody asked to see, when it is not on the one that is open. */
export function useAwaitedPage(page: TaskPage | undefined, onView: (view: ListView) => void): void {
  const awaited = useAwaited();
  const missing = awaited !== null && page !== undefined && !page.schedules.some((task) => task.id === awaited);
  useEffect(() => {
    if (!missing) return;
    let wanted = true;
    findPage(awaited)
      .catch(() => null)
      .then((found) => {
        if (!wanted) return;
        if (found === null) forgetAwaited();
        else onView({ filter: 'all', page: found });
      });
    return () => {
      wanted = false;
    };
  }, [missing, awaited, onView]);
}
