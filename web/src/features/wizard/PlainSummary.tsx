import { ArrowLeftRight, NotebookText } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { FingerprintsRule } from '../../parts/criteria/fingerprints/lazyRule.ts';
import { dayRulesOf, endProblem, fingerprintsProblem, type SearchForm, startProblem } from '../../parts/criteria/searchForm.ts';
import { useDayRules } from '../../parts/task/useDayRules.tsx';
import { totalDays } from '../../shared/format/excludedDates.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { useLifeLimit } from '../../shared/format/useLifeLimit.ts';
import { useToday } from '../../shared/hooks/useToday.ts';
import { either } from '../../shared/i18n/either.ts';
import { joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Card, CardBody, CardHeader } from '../../shared/ui/Card.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Marked } from '../../shared/ui/Marked.tsx';
import styles from './PlainSummary.module.css';
import { byTask, type Choice, partiesOf } from './wizardChoice.ts';

/** Renders a paragraph that describes the criteria and the applicants in plain language. */
export function PlainSummary({ form, chosen }: { form: SearchForm; chosen: Choice[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const parties = partiesOf(chosen);
  const [first] = parties;
  const moves = parties.filter((party) => party.present !== null).length;
  const names = joined(
    parties.flatMap((party) => party.names),
    language,
  );
  const cityNames = form.cities.map((city) => cityName(city));
  const cities = either(cityNames, language);
  const where = t(cityNames.length > 1 ? 'plain.inCities' : 'plain.inCity', { cities, first: cityNames[0] ?? '' });
  const isEachOwn = !form.notifyOnly && byTask(chosen).length > 1;
  const today = useToday(chosen[0]?.appointment.country_code);
  const ready = chosen.length > 0 && form.cities.length > 0 && !startProblem(form, today) && !endProblem(form, today);
  const values = { names, present: first?.present ?? '', cities, where, start: form.start ?? '', end: form.end ?? '' };
  const b = { b: 'b' } as const;
  const excluded = totalDays(form.excluded);
  const dayRules = useDayRules();
  const weekdays = dayRules.weekdays(dayRulesOf(form));
  // A task that only notifies reports dates, whatever their times.
  const times = form.notifyOnly ? '' : dayRules.times(dayRulesOf(form));
  const lifeLimit = useLifeLimit(chosen[0]?.appointment.country_code);
  const until = form.lastAttemptUntil;
  const changes = [
    t('plain.gain', { count: form.minImprovement }),
    t(moves > 1 ? 'plain.changesEach' : 'plain.changes', { count: form.maxReschedules }),
  ];
  const isForLife = typeof lifeLimit === 'number';
  const limits = !isForLife
    ? [...changes, ...(until ? [t('plain.lastAttempt', { date: until })] : [])]
    : until
      ? [...changes, t('plain.lifeUntil', { count: lifeLimit, date: until })]
      : [t('plain.lifeKept', { count: lifeLimit })];
  return (
    <Card as="section">
      <CardHeader icon={<Icon of={NotebookText} />} title={t('plain.title')} />
      <CardBody>
        {!ready ? (
          <p className={styles.words}>{t('plain.notYet')}</p>
        ) : (
          <div className={styles.words}>
            {form.notifyOnly ? (
              <Marked text={t('plain.notify', values)} tags={b} />
            ) : parties.length > 1 ? (
              <>
                <Marked text={t('plain.search', values)} tags={b} />
                <ul className={styles.parties}>
                  {parties.map((party) => (
                    <li key={`${party.present}-${party.names.join()}`}>
                      <Marked
                        text={t(party.present ? 'plain.moveOne' : 'plain.bookOne', {
                          names: joined(party.names, language),
                          present: party.present ?? '',
                        })}
                        tags={b}
                      />
                    </li>
                  ))}
                </ul>
              </>
            ) : first?.present ? (
              <Marked text={t('plain.move', values)} tags={b} />
            ) : (
              <Marked text={t('plain.book', values)} tags={b} />
            )}{' '}
            {isEachOwn && t('plain.eachOwn')} {form.askFirst && (!isForLife || until || moves === 0) && t('plain.askFirst')}{' '}
            {form.minDays > 0 && <Marked text={t('plain.minDays', { count: form.minDays })} tags={b} />}{' '}
            {excluded > 0 && <Marked text={t('plain.excluded', { count: excluded })} tags={b} />}{' '}
            {weekdays && <Marked text={t('plain.weekdays', { days: weekdays })} tags={b} />}{' '}
            {times && <Marked text={t('plain.times', { times })} tags={b} />}{' '}
            {form.fingerprints && !form.notifyOnly && !fingerprintsProblem(form) && (
              <FingerprintsRule sentence rule={form.fingerprints} />
            )}
          </div>
        )}
        {ready && !form.notifyOnly && moves > 0 && (
          <p className={styles.limits}>
            <Icon of={ArrowLeftRight} size={16} />
            <span>{limits.join(language === 'en' ? ' ' : '')}</span>
          </p>
        )}
      </CardBody>
    </Card>
  );
}
