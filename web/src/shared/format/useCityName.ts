import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { queries } from '../api/queries.ts';
import { useLanguage } from '../i18n/useLanguage.ts';
import { cityNameIn } from './cityName.ts';

/**
 * Returns a function that translates a facility's English name in the API into the page's language.
 */
export function useCityName(): (name: string | null | undefined) => string {
  const { data } = useQuery(queries.facilities());
  const language = useLanguage();
  return useCallback((name) => cityNameIn(data, name, language), [data, language]);
}
