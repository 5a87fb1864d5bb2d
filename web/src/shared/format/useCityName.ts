import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { queries } from '../api/queries.ts';
import type { Schemas } from '../api/types.ts';
import type { Language } from '../i18n/language.ts';
import { useLanguage } from '../i18n/useLanguage.ts';

interface Known {
  countries: { facilities: Pick<Schemas['FacilityView'], 'nameEn' | 'nameZh'>[] }[];
}

/** A facility's English name (the wire's) in a language, as far as the facilities are known. */
export function cityNameIn(known: Known | undefined, name: string | null | undefined, language: Language): string {
  if (!name || language === 'en') return name ?? '';
  const all = known?.countries.flatMap((country) => country.facilities) ?? [];
  return all.find((facility) => facility.nameEn === name)?.nameZh ?? name;
}

/** A function from a facility's English name (the wire's) to its name in the page's language. */
export function useCityName(): (name: string | null | undefined) => string {
  const { data } = useQuery(queries.facilities());
  const language = useLanguage();
  return useCallback((name) => cityNameIn(data, name, language), [data, language]);
}
