import { useQuery } from '@tanstack/react-query';
import { queries } from '../api/queries.ts';

/**
 * Limit of reschedules of a country for life: their number, null if there is no such limit, or
 * undefined while the country is unknown.
 */
export type LifeLimit = number | null | undefined;

/** Returns the limit of a country for life. */
export function useLifeLimit(countryCode: string | null | undefined): LifeLimit {
  const { data } = useQuery(queries.facilities());
  return data?.countries.find(({ code }) => code === countryCode)?.lifeLimit;
}
