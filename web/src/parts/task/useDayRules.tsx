import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FingerprintParams, SearchParams } from '../../shared/api/types.ts';
import { clock, joined, weekdayNamed } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { FingerprintsRule } from '../criteria/fingerprints/lazyRule.ts';

interface DayRules {
  /** Accepted weekdays from 1 (Monday) to 7. An empty list accepts all. */
  weekdays: number[];
  /** Accepted times, `HH:MM`, or null for no limit. */
  earliest: string | null;
  latest: string | null;
  fingerprints: FingerprintParams | null;
}

/** Returns the accepted weekdays, times and fingerprint appointments in saved search criteria. */
export const dayRulesOf = (params: SearchParams): DayRules => ({
  weekdays: params.weekdays ?? [],
  earliest: params.earliest_time ?? null,
  latest: params.latest_time ?? null,
  fingerprints: params.fingerprints,
});

/**
 * Returns functions that format accepted weekdays and times. The text is empty if all are accepted.
 * `terms` also returns the conditions for the fingerprint appointment.
 */
export function useDayRules() {
  const { t } = useTranslation();
  const language = useLanguage();
  const weekdays = (rules: DayRules) =>
    joined(
      rules.weekdays.map((day) => weekdayNamed(day, language)),
      language,
    );
  const times = ({ earliest, latest }: DayRules) => {
    const [from, until] = [earliest && clock(earliest, language), latest && clock(latest, language)];
    if (from && until) return t('unit.range', { start: from, end: until });
    if (from) return t('task.timesFrom', { from });
    return until ? t('task.timesUntil', { until }) : '';
  };
  const terms = (rules: DayRules): { term: string; value: ReactNode }[] =>
    [
      { term: t('task.weekdays'), value: weekdays(rules) },
      { term: t('task.timesOfDay'), value: times(rules) },
      { term: t('task.fingerprints'), value: rules.fingerprints && <FingerprintsRule rule={rules.fingerprints} /> },
    ].filter((row) => row.value);
  return { weekdays, times, terms };
}
