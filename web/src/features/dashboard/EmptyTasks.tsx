import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useBilling } from '../../shared/api/billing.ts';
import { queries } from '../../shared/api/queries.ts';
import { amount } from '../../shared/i18n/format.ts';
import { paths } from '../../shared/routing/paths.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { Card } from '../../shared/ui/Card.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Illustration } from '../../shared/ui/Illustration.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './EmptyTasks.module.css';
import { QuickSteps } from './QuickSteps.tsx';
import { ReminderBanner } from './ReminderBanner.tsx';

/**
 * Renders the dashboard without tasks: an introduction with cost and duration, the three steps, and
 * a button.
 */
export function EmptyTasks() {
  const { t } = useTranslation();
  const billing = useBilling();
  const { data: price } = useQuery(queries.pricing());
  return (
    <Card as="section" aria-labelledby="quick-title" className={styles.card}>
      <Illustration name="calendar" />
      <Text variant="caption" color="secondary">
        {t('dashboard.emptyTitle')}
      </Text>
      <Text as="h2" variant="h3" id="quick-title">
        {t('quick.title')}
      </Text>
      <Text variant="small" color="secondary" className={styles.text}>
        {billing && price && !price.estimate
          ? t('quick.priceAndTime', { amount: amount(price.unit_price), currency: price.currency })
          : t('quick.time')}
      </Text>
      <QuickSteps />
      <ButtonLink render={<Link to={paths.wizard()} />} start={<Icon of={Plus} size={18} />}>
        {t('dashboard.newTask')}
      </ButtonLink>
      {billing && (
        <div className={styles.reminder}>
          <ReminderBanner isInside />
        </div>
      )}
    </Card>
  );
}
