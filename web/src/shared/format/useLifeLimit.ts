import { useQuery } from '@tanstack/react-query';
import { queries } from '../api/queries.ts';

/**
 * Returns the number of reschedules that a country allows for life, or null if there is no such
 * limit or the countries have not loaded.
 */
export function useLifeLimit(countryCode: string | null | undefined): number | null {
  const { data } = useQuery(queries.facilities());
  return data?.countries.find(({ code }) => code === countryCode)?.lifeLimit ?? null;
}
