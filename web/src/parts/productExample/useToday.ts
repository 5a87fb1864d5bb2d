import { useSyncExternalStore } from 'react';
import { type CivilDate, civilToday } from '../../shared/format/dates.ts';

/** Replaces today in prerendered documents until their code runs. */
const RENDERED_ON: CivilDate = '2026-11-24';
const never = () => () => undefined;

/** Returns today's date. A prerendered document and its first client render get the same value. */
export function useToday(): CivilDate {
  return useSyncExternalStore(
    never,
    () => civilToday(Date.now()),
    () => RENDERED_ON,
  );
}
