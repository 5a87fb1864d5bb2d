import { useSyncExternalStore } from 'react';
import { type CivilDate, civilToday } from '../../shared/format/dates.ts';

/** Date that prerendered documents show until their code runs. */
const RENDERED_ON: CivilDate = '2026-11-24';
const never = () => () => undefined;

/**
 * Returns today's date. The first render returns `RENDERED_ON`, so that it equals the prerendered
 * document.
 */
export function useToday(): CivilDate {
  return useSyncExternalStore(
    never,
    () => civilToday(Date.now()),
    () => RENDERED_ON,
  );
}
