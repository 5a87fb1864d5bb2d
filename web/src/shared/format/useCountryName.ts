import { useQuery } from '@tanstack/react-query';
import { queries } from '../api/queries.ts';
import { useLanguage } from '../i18n/useLanguage.ts';
import { countryNameIn } from './countryName.ts';

/**
 * Returns a function that returns the name of a country in the page's language by its code, or null
 * if the code is unknown.
 */
export function useCountryName(): (code: string) => string | null {
  const { data } = useQuery(queries.facilities());
  const language = useLanguage();
  return (code) => countryNameIn(data, code, language);
}
