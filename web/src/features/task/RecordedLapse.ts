import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Lapse, lapses } from '../../parts/task/lapse.ts';
import type { JournalEntry, Task } from '../../shared/api/types.ts';
import { detailQueries } from './queries.ts';

/** Longest time for which a question can be open. */
const LONGEST_MS = 180_000;

/**
 * Returns the last question of a journal, newest entry first, if its time ended without an
 * approval.
 */
export function lapseIn(entries: JournalEntry[], nowMs: number): Lapse | null {
  const at = entries.findIndex(({ kind }) => kind === 'asked');
  const entry = entries[at];
  if (entry?.kind !== 'asked' || Date.parse(entry.at) + LONGEST_MS > nowMs) return null;
  const { date, facility } = entry.data;
  const approved = entries
    .slice(0, at)
    .some((one) => one.kind === 'said_yes' && one.data.date === date && one.data.facility === facility);
  return approved ? null : { date, facility, until: null, askedAt: entry.at };
}

/**
 * Finds the last unanswered question of a task in its journal, unless this tab has seen a question
 * end. Renders nothing.
 */
export function RecordedLapse({ task: { id } }: { task: Task }): null {
  const { data } = useInfiniteQuery(detailQueries.journal(id));
  useEffect(() => {
    const found = lapseIn(data?.pages[0]?.entries ?? [], Date.now());
    const known = lapses.get()[id];
    if (found && Date.parse(known?.until ?? '') > Date.parse(found.askedAt ?? '')) return;
    if (found && known?.askedAt !== found.askedAt) lapses.set({ ...lapses.get(), [id]: found });
  }, [data, id]);
  return null;
}
