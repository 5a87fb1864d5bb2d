import type { Schemas } from '../../shared/api/types.ts';

/**
 * Returns the country to use for a chosen code: the code itself while the countries are unknown or
 * if its country is open, else the first open country.
 */
export function openCountry(countries: Schemas['CountryView'][] | undefined, code: string): string {
  const open = countries?.filter(({ available }) => available) ?? [];
  return open.find((one) => one.code === code)?.code ?? open[0]?.code ?? code;
}
