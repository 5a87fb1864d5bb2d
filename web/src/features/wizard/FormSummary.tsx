import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { dayRulesOf, modeOf, type SearchForm } from '../../parts/criteria/searchForm.ts';
import { modeTexts } from '../../parts/task/taskView.ts';
import { useDayRules } from '../../parts/task/useDayRules.tsx';
import { rangeDays } from '../../shared/format/excludedDates.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { useLifeLimit } from '../../shared/format/useLifeLimit.ts';
import { joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import styles from './FormSummary.module.css';

/** Renders the search criteria as a list of terms. */
export function FormSummary({ form, countryCode }: { form: SearchForm; countryCode: string | undefined }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const { terms } = useDayRules();
  const lifeLimit = useLifeLimit(countryCode);
  const excluded = form.excluded.map((range) =>
    rangeDays(range) === 1 ? range.start : t('unit.range', { start: range.start, end: range.end }),
  );
  const rows: [string, ReactNode][] = [
    [t('task.period'), t('unit.range', { start: form.start ?? '', end: form.end ?? '' })],
    [
      t('task.cities'),
      joined(
        form.cities.map((city) => cityName(city)),
        language,
      ),
    ],
    [t('task.minDays'), t('unit.days', { count: form.minDays })],
    [t('task.excluded'), excluded.length > 0 ? joined(excluded, language) : t('task.none')],
    ...terms(dayRulesOf(form)).map(({ term, value }): [string, ReactNode] => [term, value]),
    [t('task.mode'), t(modeTexts[modeOf(form)])],
    ...(form.notifyOnly
      ? []
      : ([
          [t('task.improvement'), t('unit.days', { count: form.minImprovement })],
          [t('task.reschedules'), t('task.times', { count: form.maxReschedules })],
          [
            typeof lifeLimit === 'number' ? t('task.lifeLimit', { count: lifeLimit }) : t('task.lastAttempt'),
            form.lastAttemptUntil ? t('task.lastAttemptUntil', { date: form.lastAttemptUntil }) : t('task.lastAttemptKept'),
          ],
        ] as [string, string][])),
  ];
  return (
    <dl className={styles.terms}>
      {rows.map(([term, value]) => (
        <Fragment key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
