import type { Schemas } from '../api/types.ts';
import type { Language } from '../i18n/language.ts';

interface CityList<City> {
  countries: { facilities: City[] }[];
}
type CityNames = Pick<Schemas['FacilityView'], 'nameEn' | 'nameZh'>;

/** Returns the facility with an English name. The names are unique over all countries. */
export function findCity<City extends CityNames>(
  known: CityList<City> | null | undefined,
  name: string | null | undefined,
): City | undefined {
  return known?.countries.flatMap(({ facilities }) => facilities).find(({ nameEn }) => nameEn === name);
}

/**
 * Returns the name of a facility in a language. `name` is its English name in the API, which is
 * returned if there is no translation.
 */
export function cityNameIn(
  known: CityList<CityNames> | null | undefined,
  name: string | null | undefined,
  language: Language,
): string {
  return (language === 'zh' && findCity(known, name)?.nameZh) || name || '';
}
