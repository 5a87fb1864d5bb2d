import type { Schemas } from '../api/types.ts';
import type { Language } from '../i18n/language.ts';

interface CityList<City> {
  countries: { code: string; facilities: City[] }[];
}
type CityNames = Pick<Schemas['FacilityView'], 'nameEn' | 'nameZh'>;

/**
 * Returns the facility with an English name. It looks in the country first and then in all
 * countries.
 */
export function findCity<City extends CityNames>(
  known: CityList<City> | null | undefined,
  name: string | null | undefined,
  country?: string,
): City | undefined {
  const countries = known?.countries ?? [];
  const own = countries.filter(({ code }) => code === country);
  return [...own, ...countries].flatMap(({ facilities }) => facilities).find(({ nameEn }) => nameEn === name);
}

/**
 * Returns the name of a facility in a language. `name` is its English name in the API, which is
 * returned if there is no translation. `country` is the country's code, if known.
 */
export function cityNameIn(
  known: CityList<CityNames> | null | undefined,
  name: string | null | undefined,
  language: Language,
  country?: string,
): string {
  if (!name || language === 'en') return name ?? '';
  return findCity(known, name, country)?.nameZh ?? name;
}
