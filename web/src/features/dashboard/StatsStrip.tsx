import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queries } from '../../shared/api/queries.ts';
import { count } from '../../shared/i18n/format.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Card } from '../../shared/ui/Card.tsx';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import styles from './StatsStrip.module.css';

/** Renders four statistics of this account. A rate without data is shown as a dash. */
export function StatsStrip() {
  const { t } = useTranslation();
  const { data, isError, refetch } = useQuery(queries.stats());
  if (!data && isError)
    return (
      <Alert
        tone="quiet"
        action={
          <Button variant="secondary" size="small" onClick={() => void refetch()}>
            {t('problem.retry')}
          </Button>
        }
      >
        {t('stats.failed')}
      </Alert>
    );
  if (!data) return <Skeleton kind="block" className={styles.loading} />;
  const rate = data.success_rate === null ? t('stats.noRate') : String(Math.round(data.success_rate * 100));
  const figures = [
    {
      label: t('stats.checks'),
      value: count(data.checks_total),
      unit: t('stats.checksUnit', { count: data.checks_total }),
      note: t('stats.checksToday', { number: count(data.checks_today) }),
    },
    {
      label: t('stats.days'),
      value: count(data.days_saved),
      unit: t('stats.daysUnit', { count: data.days_saved }),
      note: data.most_days_saved ? t('stats.daysMost', { count: data.most_days_saved }) : t('stats.daysNone'),
    },
    {
      label: t('stats.rate'),
      value: rate,
      unit: data.success_rate === null ? '' : t('stats.percent'),
      note: t('stats.attempts', { count: data.attempts, booked: data.booked }),
    },
    {
      label: t('stats.active'),
      value: count(data.active),
      unit: t('stats.activeUnit', { count: data.active }),
      note: t('stats.withBooking', { count: data.tasks_succeeded }),
    },
  ];
  return (
    <Card as="dl" aria-label={t('stats.title')} className={styles.strip}>
      {figures.map((figure) => (
        <div key={figure.label}>
          <dt>{figure.label}</dt>
          <dd className={styles.figure}>
            {figure.value}
            <small>{figure.unit}</small>
          </dd>
          <dd className={styles.note}>{figure.note}</dd>
        </div>
      ))}
    </Card>
  );
}
