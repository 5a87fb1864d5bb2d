import type { Schemas } from '../../shared/api/types.ts';
import { nameIn } from '../../shared/format/countryName.ts';
import { joined } from '../../shared/i18n/format.ts';
import type { Language } from '../../shared/i18n/language.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import type { SearchOption } from '../../shared/ui/SearchSelect.tsx';
import { FIRST_COUNTRY } from './wizardDraft.ts';

type Country = Schemas['CountryView'];
type State = Country['state'];

/** Countries that come first among those of their state, in this order. */
const leading = [FIRST_COUNTRY, 'zh-cn', 'en-us'];

const order: State[] = ['open', 'known', 'not_bookable', 'other_system', 'ended'];

/** Remark in the list on a country that is not open. */
export const stateNotes: Record<State, TextKey | null> = {
  open: null,
  known: 'portal.notOpened',
  not_bookable: 'portal.notBookable',
  other_system: 'portal.otherSystem',
  ended: 'portal.ended',
};

/** Common names beside those of the server, by the country's two letters. */
const otherNames: Partial<Record<string, string[]>> = {
  ae: ['UAE'],
  gb: ['UK', 'Britain', 'England'],
  tr: ['Turkey'],
  us: ['USA', 'America'],
};

/**
 * Returns the countries in the order of the list: by state, then by name in the reader's language.
 * Canada, China and the United States are the first ones of their state.
 */
export function inOrder(countries: Country[], language: Language): Country[] {
  const { compare } = new Intl.Collator(language === 'zh' ? 'zh-CN' : 'en');
  const place = ({ code }: Country) => (leading.includes(code) ? leading.indexOf(code) : leading.length);
  return [...countries].sort(
    (a, b) =>
      order.indexOf(a.state) - order.indexOf(b.state) || place(a) - place(b) || compare(nameIn(a, language), nameIn(b, language)),
  );
}

/** Removes case and accents, so that `quebec` finds `Québec`. */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

/**
 * Returns a function that finds countries by a typed text: a part of a name or a city in either
 * language, or the two letters. A country whose two letters are the text comes first.
 */
export function countrySearch(countries: Country[], language: Language, t: (key: TextKey) => string) {
  const all = inOrder(countries, language);
  return (query: string): SearchOption[] => {
    const typed = plain(query);
    const names = (place: { nameEn: string; nameZh: string }) =>
      [place.nameEn, place.nameZh].some((name) => plain(name).includes(typed));
    const found = all.flatMap((country) => {
      const letters = country.code.slice(3);
      const byName = names(country) || letters === typed || otherNames[letters]?.some((name) => plain(name) === typed);
      const cities = country.facilities.filter(names);
      if (!byName && cities.length === 0) return [];
      const note = stateNotes[country.state];
      const shown = byName ? (country.available ? [] : country.facilities) : cities;
      return {
        exact: letters === typed,
        option: {
          value: country.code,
          label: nameIn(country, language),
          note: note ? t(note) : undefined,
          detail:
            joined(
              shown.map((city) => nameIn(city, language)),
              language,
            ) || undefined,
          unavailable: !country.available,
        },
      };
    });
    return [...found.filter(({ exact }) => exact), ...found.filter(({ exact }) => !exact)].map(({ option }) => option);
  };
}
