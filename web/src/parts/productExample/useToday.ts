import { useSyncExternalStore } from 'react';
import { type CivilDate, civilToday } from '../../shared/format/dates.ts';

/** Stands for today in documents that are rendered ahead, until the page is alive. */
const RENDERED_ON: CivilDate = '2026-11-24';
const never = () => () => undefined;

/** Today's date, the same in a prerendered document and in its first live frame. */
export function useToday(): CivilDate {
  return useSyncExternalStore(
    never,
    () => civilToday(Date.now()),
    () => RENDERED_ON,
  );
}
