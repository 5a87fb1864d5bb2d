import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { useNow } from '../../shared/hooks/useNow.ts';
import { count, instantShort } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { RUNNING } from './condition.ts';
import styles from './TaskFigures.module.css';

const SOONEST_MS = 10_000;
const LATEST_MS = 15_000;

/**
 * Renders the numbers of cities, applications, bookings and checks, and the time of the last check.
 */
export function TaskFigures({ task }: { task: Task }) {
  const { t } = useTranslation();
  const language = useLanguage();
  // Rerenders every 10 to 15 s. The interval is random, so that not all cards render at the same
  // time.
  const [everyMs] = useState(() => SOONEST_MS + Math.floor(Math.random() * (LATEST_MS - SOONEST_MS)));
  useNow(RUNNING.includes(task.status) ? everyMs : 0);
  const { checks, last_check_at: lastAt } = task.engine;
  const figures = [
    {
      label: t('task.figCities'),
      value: task.monitoring_cities.length,
      unit: t('task.figCitiesUnit', { count: task.monitoring_cities.length }),
    },
    {
      label: t('task.figApplications'),
      value: task.appointments.length,
      unit: t('task.figApplicationsUnit', { count: task.appointments.length }),
    },
    {
      label: t('task.figSuccesses'),
      value: task.success_history.length,
      unit: t('task.figSuccessesUnit', { count: task.success_history.length }),
    },
  ];
  return (
    <dl className={styles.figures}>
      {figures.map((figure) => (
        <div key={figure.label}>
          <dt>{figure.label}</dt>
          <dd>
            {figure.value} <small>{figure.unit}</small>
          </dd>
        </div>
      ))}
      <div>
        <dt>{t('task.figLast')}</dt>
        <dd>
          {lastAt ? (
            <>
              {instantShort(lastAt, language)}{' '}
              <small>
                ({count(checks)} {t('task.figChecksUnit', { count: checks })})
              </small>
            </>
          ) : (
            <span className={styles.none}>{t('task.notAvailable')}</span>
          )}
        </dd>
      </div>
    </dl>
  );
}
