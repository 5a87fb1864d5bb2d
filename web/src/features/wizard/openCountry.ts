import type { Schemas } from '../../shared/api/types.ts';

/** Id of the field for the country. */
export const COUNTRY_FIELD = 'country';

export const focusCountry = () => document.getElementById(COUNTRY_FIELD)?.focus();

/**
 * Returns the country to use for a chosen code: the code itself if its country is open, else the
 * first open country. Returns null while the countries are unknown.
 */
export function openCountry(countries: Schemas['CountryView'][] | undefined, code: string): string | null {
  const open = countries?.filter(({ available }) => available) ?? [];
  return (open.find((one) => one.code === code) ?? open[0])?.code ?? null;
}
