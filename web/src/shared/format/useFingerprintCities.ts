import { useQuery } from '@tanstack/react-query';
import { queries } from '../api/queries.ts';

/**
 * Returns the English names of a country's cities that are known to give fingerprint appointments.
 */
export function useFingerprintCities(countryCode: string): string[] {
  const { data } = useQuery(queries.facilities());
  const facilities = data?.countries.find(({ code }) => code === countryCode)?.facilities ?? [];
  return facilities.filter(({ fingerprints }) => fingerprints).map(({ nameEn }) => nameEn);
}
