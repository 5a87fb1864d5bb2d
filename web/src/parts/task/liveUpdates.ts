import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { listen, type ServerEvent } from '../../shared/api/events.ts';
import { queries, queryClient } from '../../shared/api/queries.ts';
import { streamState } from '../../shared/api/streamState.ts';
import type { Task } from '../../shared/api/types.ts';
import { toast } from '../../shared/ui/toasts.ts';
import { highlightTask } from './highlights.ts';
import { isBeingDeleted } from './pendingDeletes.ts';
import { forgetTask, knownTask, refreshLists, reloadTask } from './taskCache.ts';
import { useTellBooking } from './useTellBooking.ts';

/** Events come in bursts (one look serves many tasks): what they ask for is done once for all of them. */
const GATHER_MS = 150;
/** A page of changes is one call; up to here single calls are less. */
const MOST_SINGLE_READS = 4;
const UNKNOWN_EVERY_MS = 5_000;

const again = (name: string) => void queryClient.invalidateQueries({ queryKey: [name] }, { cancelRefetch: false });

/**
 * Whether the balance that is told is still the one that the page has read first. Its movements were read with it, and are as new; once
 * it has been read again by itself, they may be older.
 */
function isAsRead(told: Extract<ServerEvent, { kind: 'credit' }>): boolean {
  const { queryKey } = queries.credit();
  const known = queryClient.getQueryData(queryKey);
  const once = queryClient.getQueryState(queryKey)?.dataUpdateCount === 1;
  return once && known?.credit === told.credit && known?.on_hold === told.on_hold;
}

/** What came of a burst of events, for the one who shows it. */
interface Reports {
  onBooked: (task: Task) => void;
  onGone: (task: Task) => void;
}

/** Gathers events and does what they ask for; `stop` forgets what is still gathered. */
export function gatherEvents({ onBooked: tellBooked, onGone }: Reports) {
  // Two readings of one task may be under way at once, and both find the booking new.
  const told = new Map<string, number>();
  const onBooked = (task: Task) => {
    const successes = task.success_history.length;
    if ((told.get(task.id) ?? 0) >= successes) return;
    told.set(task.id, successes);
    tellBooked(task);
  };
  const changed = new Set<string>();
  const deleted = new Set<string>();
  let credit = false;
  let everything = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let listedAt = 0;

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
    // Tasks of pages nobody has opened look several times a minute: the lists are read for them, but not each time.
    const strangers = ids.length > known.length && Date.now() - listedAt > UNKNOWN_EVERY_MS;
    if (everything || strangers) {
      listedAt = Date.now();
      void refreshLists();
    }
    if (everything) again('task');
    if (known.length > MOST_SINGLE_READS) void readMany(known, onBooked);
    else if (!everything) for (const id of known) void readOne(id);
    if (credit || everything) for (const name of ['credit', 'ledger']) again(name);
    if (ids.length > 0 || deleted.size > 0 || everything) again('stats');
    changed.clear();
    deleted.clear();
    credit = false;
    everything = false;
  };

  return {
    take: (event: ServerEvent) => {
      if (event.kind === 'credit') credit ||= !isAsRead(event);
      else if (event.kind === 'connected') everything ||= !event.resumed;
      else if (event.deleted) deleted.add(event.id);
      else changed.add(event.id);
      timer ??= setTimeout(flush, GATHER_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

/** Many at once: the lists are read again, and who has won since is told from what was known before. */
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

/** Shows nothing; follows the server's events for as long as it is there: changed cards shine for 2 s, a booking says so. */
export function LiveUpdates(): null {
  const { t } = useTranslation();
  const onBooked = useEffectEvent(useTellBooking());
  const onGone = useEffectEvent(() => toast(t('toast.deletedElsewhere')));
  useEffect(() => {
    const gathered = gatherEvents({ onBooked: (task) => onBooked(task), onGone: () => onGone() });
    const stop = listen(gathered.take);
    return () => {
      stop();
      gathered.stop();
      streamState.set('connecting');
    };
  }, []);
  return null;
}
