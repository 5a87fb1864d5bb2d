import type { Language } from '../i18n/language.ts';

interface PlaceNames {
  nameEn: string;
  nameZh: string;
}

interface CountryList {
  countries: (PlaceNames & { code: string })[];
}

/**
 * Returns the browser's name of a region such as `MX`, or null if it has none. For any other text
 * than two capital letters, such as a damaged code in the storage, the browser would throw.
 */
export const regionName = (region: string, language: Language): string | null =>
  (/^[A-Z]{2}$/.test(region) && new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }).of(region)) || null;

/** Returns the name of a country or a city of the API in a language. */
export const nameIn = (place: PlaceNames, language: Language) => (language === 'zh' ? place.nameZh : place.nameEn);

/**
 * Returns the name of a country by its code, such as `en-ca`. `known` are the server's countries.
 * Without them, and for codes that they do not contain, the browser provides the name. The result
 * is null if neither knows the code.
 */
export function countryNameIn(known: CountryList | null | undefined, code: string, language: Language): string | null {
  const country = known?.countries.find((one) => one.code === code);
  return country ? nameIn(country, language) : regionName(code.slice(3).toUpperCase(), language);
}
