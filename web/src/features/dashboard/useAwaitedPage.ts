import { useEffect } from 'react';
import { forgetAwaited, useAwaited } from '../../parts/task/highlights.ts';
import type { ListOrder, ListView } from '../../shared/api/taskList.ts';
import type { TaskPage } from '../../shared/api/types.ts';
import { findPage } from './findPage.ts';

/**
 * Opens the page of the list that contains the task to highlight (`presentTask`), if another page
 * is open.
 */
export function useAwaitedPage(page: TaskPage | undefined, order: ListOrder, onView: (view: ListView) => void): void {
  const awaited = useAwaited();
  const missing = awaited !== null && page !== undefined && !page.schedules.some((task) => task.id === awaited);
  useEffect(() => {
    if (!missing) return;
    let wanted = true;
    findPage(awaited, order)
      .catch(() => null)
      .then((found) => {
        if (!wanted) return;
        if (found === null) forgetAwaited();
        else onView({ filter: 'all', order, page: found });
      });
    return () => {
      wanted = false;
    };
  }, [missing, awaited, order, onView]);
}
