import type { Schemas } from '../api/types.ts';
import type { Language } from '../i18n/language.ts';

interface CityList {
  countries: { facilities: Pick<Schemas['FacilityView'], 'nameEn' | 'nameZh'>[] }[];
}

/**
 * Returns the name of a facility in a language. `name` is its English name in the API, which is
 * returned if there is no translation.
 */
export function cityNameIn(known: CityList | null | undefined, name: string | null | undefined, language: Language): string {
  if (!name || language === 'en') return name ?? '';
  const all = known?.countries.flatMap((country) => country.facilities) ?? [];
  return all.find((facility) => facility.nameEn === name)?.nameZh ?? name;
}
