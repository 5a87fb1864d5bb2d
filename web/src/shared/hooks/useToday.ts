import { useQuery } from '@tanstack/react-query';
import { queries } from '../api/queries.ts';
import { findCity } from '../format/cityName.ts';
import { type CivilDate, civilToday, REPORTING_ZONE } from '../format/dates.ts';

/**
 * Returns the present date at a consulate. `city` is its English name in the API. Without a city,
 * or if its zone is unknown, it is the date in the country: in the reporting zone if a city of the
 * country has that zone, else in the zone of the first city.
 */
export function useToday(country: string | undefined, city?: string | null): CivilDate {
  const { data } = useQuery(queries.facilities());
  const zones = data?.countries.find(({ code }) => code === country)?.facilities.map(({ zone }) => zone) ?? [];
  const usual = zones.includes(REPORTING_ZONE) ? REPORTING_ZONE : zones[0];
  return civilToday(Date.now(), findCity(data, city, country)?.zone ?? usual ?? REPORTING_ZONE);
}
