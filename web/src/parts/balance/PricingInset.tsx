import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { cents, tasksAffordable } from '../../shared/api/pricing.ts';
import { queries } from '../../shared/api/queries.ts';
import { useAnyHidden } from '../../shared/hooks/useAnyHidden.ts';
import { amount } from '../../shared/i18n/format.ts';
import { Badge } from '../../shared/ui/Badge.tsx';
import { Inset } from '../../shared/ui/Card.tsx';
import { Marked } from '../../shared/ui/Marked.tsx';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './balance.module.css';
import { EstimateNotice } from './EstimateNotice.tsx';

const PerApplicant = ({ children }: { children: ReactNode }) => <small className={styles.perApplicant}>{children}</small>;

/** Renders the unit price with its discount, and the number of tasks that the balance covers. */
export function PricingInset({ available }: { available: number | undefined }) {
  const { t } = useTranslation();
  const { data: price, isFetching, refetch } = useQuery(queries.pricing());
  const hidden = useAnyHidden();
  if (!price) return <Skeleton kind="block" className={styles.pricingRoom} />;
  const tasks = available === undefined ? 0 : tasksAffordable(available, price.unit_price);
  const saved = cents(price.original_price - price.unit_price);
  const says = () => {
    if (hidden) return null;
    if (tasks === null) return t('balance.freeTasks');
    if (available === undefined) return null;
    return tasks === 0 ? t('balance.allowsNone') : t('balance.allows', { count: tasks });
  };
  return (
    <Inset className={styles.pricing}>
      <Text as="div" variant="figureMd">
        <Marked
          text={t('balance.pricePer', { amount: amount(price.unit_price), currency: price.currency })}
          tags={{ small: PerApplicant }}
        />
      </Text>
      {price.estimate ? (
        <Badge tone="warning">{t('cost.estimateTag')}</Badge>
      ) : saved > 0 ? (
        <s className={styles.before}>{amount(price.original_price)}</s>
      ) : (
        <span />
      )}
      <Text as="div" variant="caption" color="secondary">
        {says()}
      </Text>
      {saved > 0 ? <Badge tone="ok">{t('balance.saved', { amount: amount(saved) })}</Badge> : <span />}
      <Text as="div" variant="caption" color="tertiary" className={styles.pricingNote}>
        {t('balance.priceNote')}
      </Text>
      {price.estimate && (
        <div className={styles.pricingWhole}>
          <EstimateNotice onRetry={() => void refetch()} retrying={isFetching} />
        </div>
      )}
    </Inset>
  );
}
