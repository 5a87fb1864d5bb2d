import { useQuery } from '@tanstack/react-query';
import { queries } from '../api/queries.ts';
import { type CivilDate, civilToday, REPORTING_ZONE } from '../format/dates.ts';

/**
 * Returns the present date at a consulate. `city` is its English name in the API. Without a known
 * city it is the date in the country. A city in the reporting zone then decides, else the first
 * one.
 */
export function useToday(country: string | undefined, city?: string | null): CivilDate {
  const { data } = useQuery(queries.facilities());
  const facilities = data?.countries.find(({ code }) => code === country)?.facilities ?? [];
  const place =
    facilities.find(({ nameEn }) => nameEn === city) ?? facilities.find(({ zone }) => zone === REPORTING_ZONE) ?? facilities[0];
  return civilToday(Date.now(), place?.zone ?? undefined);
}
