import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { listenForEvents, type ServerEvent } from '../../shared/api/events.ts';
import { queries, queryClient } from '../../shared/api/queries.ts';
import { streamState } from '../../shared/api/streamState.ts';
import type { Task } from '../../shared/api/types.ts';
import { toast } from '../../shared/ui/toasts.ts';
import { highlightTask } from './highlights.ts';
import { isBeingDeleted } from './pendingDeletes.ts';
import { forgetTask, knownTask, refreshLists, reloadTask } from './taskCache.ts';
import { useAnnounceBooking } from './useAnnounceBooking.ts';

/**
 * Time for which events are collected. One poll concerns many tasks, so their events arrive
 * together.
 */
const GATHER_MS = 150;
/** Maximum number of tasks to request one by one. For more tasks the whole list is requested. */
const MOST_SINGLE_READS = 4;
const UNKNOWN_EVERY_MS = 5_000;

const invalidate = (name: string) => void queryClient.invalidateQueries({ queryKey: [name] }, { cancelRefetch: false });

/**
 * Returns whether a reported balance equals the first one that the page loaded, together with its
 * movements. After a later reload of the balance the movements may be older.
 */
function isAsRead(announced: Extract<ServerEvent, { kind: 'credit' }>): boolean {
  const { queryKey } = queries.credit();
  const known = queryClient.getQueryData(queryKey);
  const once = queryClient.getQueryState(queryKey)?.dataUpdateCount === 1;
  return once && known?.credit === announced.credit && known?.on_hold === announced.on_hold;
}

/** Callbacks for new bookings and deleted tasks. */
interface Reports {
  onBooked: (task: Task) => void;
  onGone: (task: Task) => void;
}

/**
 * Creates a collector of events, which reloads the changed data. `stop` discards the collected
 * events.
 */
export function gatherEvents({ onBooked: announce, onGone }: Reports) {
  // Two requests for a task may run at once and both find the same new booking. It is announced
  // once.
  const announced = new Map<string, number>();
  const onBooked = (task: Task) => {
    const successes = task.success_history.length;
    if ((announced.get(task.id) ?? 0) >= successes) return;
    announced.set(task.id, successes);
    announce(task);
  };
  const changed = new Set<string>();
  const deleted = new Set<string>();
  let credit = false;
  let everything = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let later: ReturnType<typeof setTimeout> | undefined;
  let listedAt = 0;

  const reloadLists = () => {
    clearTimeout(later);
    later = undefined;
    listedAt = Date.now();
    void refreshLists();
  };
  const readOne = async (id: string) => {
    const before = knownTask(id);
    const read = await reloadTask(id);
    if (!read) return;
    if (before && before.status !== read.task.status) highlightTask(id);
    if (!read.won) return;
    highlightTask(id);
    onBooked(read.task);
  };

  const flush = () => {
    timer = undefined;
    const ids = [...changed].filter((id) => !deleted.has(id));
    const known = ids.filter((id) => knownTask(id) !== null);
    for (const id of deleted) {
      const task = knownTask(id);
      forgetTask(id);
      if (task && !isBeingDeleted(id)) onGone(task);
    }
    // Tasks on other pages of the list change several times a minute. The lists are not reloaded
    // for each event, but once after the last one, because it may be a question to the user.
    if (everything) reloadLists();
    else if (ids.length > known.length) {
      const waitMs = listedAt + UNKNOWN_EVERY_MS - Date.now();
      if (waitMs <= 0) reloadLists();
      else later ??= setTimeout(reloadLists, waitMs);
    }
    if (everything) invalidate('task');
    if (known.length > MOST_SINGLE_READS) void readMany(known, onBooked);
    else if (!everything) for (const id of known) void readOne(id);
    if (credit || everything) for (const name of ['credit', 'ledger']) invalidate(name);
    if (ids.length > 0 || deleted.size > 0 || everything) invalidate('stats');
    changed.clear();
    deleted.clear();
    credit = false;
    everything = false;
  };

  return {
    add: (event: ServerEvent) => {
      if (event.kind === 'credit') credit ||= !isAsRead(event);
      else if (event.kind === 'connected') everything ||= !event.resumed;
      else if (event.deleted) deleted.add(event.id);
      else changed.add(event.id);
      timer ??= setTimeout(flush, GATHER_MS);
    },
    stop: () => {
      clearTimeout(timer);
      clearTimeout(later);
    },
  };
}

/** Reloads the lists after many events, and finds new bookings by comparison. */
async function readMany(ids: string[], onBooked: (task: Task) => void): Promise<void> {
  const before = new Map(ids.map((id) => [id, knownTask(id)?.success_history.length ?? 0]));
  await refreshLists();
  for (const [id, successes] of before) {
    const task = knownTask(id);
    if (!task || task.success_history.length <= successes) continue;
    highlightTask(id);
    onBooked(task);
  }
}

/**
 * Applies the server's events while mounted. Renders nothing. Changed cards are highlighted, and
 * bookings are announced.
 */
export function LiveUpdates(): null {
  const { t } = useTranslation();
  const onBooked = useEffectEvent(useAnnounceBooking());
  const onGone = useEffectEvent(() => toast(t('toast.deletedElsewhere')));
  useEffect(() => {
    const gathered = gatherEvents({ onBooked: (task) => onBooked(task), onGone: () => onGone() });
    const stop = listenForEvents(gathered.add);
    return () => {
      stop();
      gathered.stop();
      streamState.set('connecting');
    };
  }, []);
  return null;
}
