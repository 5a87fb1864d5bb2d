import { MapPin } from 'lucide-react';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { useAgo } from '../../shared/hooks/useAgo.ts';
import { instantShort } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { NoWrap, Text } from '../../shared/ui/Text.tsx';
import { Part, Terms } from './Part.tsx';

/**
 * Renders the cities of a task: each city's last answered check, its result, and the next check.
 */
export function CitiesCard({ task }: { task: Task }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const ago = useAgo();
  const cities = task.engine.cities;
  const within = cities.map((city) => hoursWithin(city.checked_within_seconds));
  const sameForAll = within.every((hours) => hours === within[0]) ? within[0] : null;
  const rows = cities.map((city, at) => {
    const listed = city.earliest_listed ? t('rail.cityEarliest', { date: city.earliest_listed }) : t('rail.cityNone');
    const parts = [
      city.last_answer_at ? t('rail.cityChecked', { when: ago(city.last_answer_at) }) : t('rail.cityUnchecked'),
      city.listed_at && listed,
      city.next_check_at && t('rail.cityNext', { when: instantShort(city.next_check_at, language) }),
      !sameForAll && within[at] && t('rail.cityWithin', { count: within[at] }),
    ];
    return { term: cityName(city.facility), value: <Pieces of={parts.filter((part) => typeof part === 'string')} /> };
  });
  if (rows.length === 0) return null;
  return (
    <Part
      icon={MapPin}
      title={t('rail.cities')}
      foot={
        <Text as="span" variant="caption" color="secondary">
          {t('rail.citiesNote')}
          {sameForAll && (
            <>
              <br />
              {t('rail.citiesWithin', { count: sameForAll })}
            </>
          )}
        </Text>
      }
    >
      <Terms rows={rows} />
    </Part>
  );
}

/** Renders the parts of a sentence. A line wraps only between parts. */
function Pieces({ of }: { of: string[] }) {
  const { t } = useTranslation();
  return of.map((piece, at) => (
    <Fragment key={piece}>
      <NoWrap>
        {piece}
        {at < of.length - 1 && t('dateline.comma')}
      </NoWrap>
      <wbr />
    </Fragment>
  ));
}

/**
 * Returns the maximum interval between a city's checks in hours, rounded up so that the statement
 * is true.
 */
function hoursWithin(seconds: number | null | undefined) {
  return seconds ? Math.ceil(seconds / 3600) : null;
}
