import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { queries } from '../../shared/api/queries.ts';
import type { Task } from '../../shared/api/types.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Card, CardBody, CardHeader } from '../../shared/ui/Card.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import { AfterCharge } from './AfterCharge.tsx';
import styles from './ChargedNotice.module.css';
import { CostBreakdown } from './CostBreakdown.tsx';
import { SUBMITTED_TOAST, storeCharge, useLastCharge } from './lastCharge.ts';

/** Returns whether the hold of the last submission has been charged or released since. */
function useHoldOver(tasks: Task[]): boolean {
  const charge = useLastCharge();
  const { data: credit, dataUpdatedAt } = useQuery({ ...queries.credit(), enabled: charge !== null });
  if (!charge || charge.cost.total_amount === 0) return false;
  const charged = tasks.some(({ id, price }) => id in charge.names && price.captured > 0 && price.on_hold === 0);
  return charged || (credit !== undefined && dataUpdatedAt > charge.at && credit.on_hold < charge.cost.total_amount);
}

/**
 * Renders the result of a submission: the amounts on hold, and the remaining balance. It disappears
 * when the user dismisses it, or when the hold is charged or released.
 */
export function ChargedNotice({ tasks = [] }: { tasks?: Task[] }) {
  const { t } = useTranslation();
  const charge = useLastCharge();
  const over = useHoldOver(tasks);
  useEffect(() => {
    if (!over) return;
    storeCharge(null);
    toast.end(SUBMITTED_TOAST);
  }, [over]);
  if (!charge || over) return null;
  const { cost, balance, names } = charge;
  return (
    <Card as="section" aria-labelledby="charged-title" className={styles.card}>
      <CardHeader icon={<Icon of={CircleCheck} />} title={t('cost.charged')} id="charged-title">
        <Button variant="text" size="small" onClick={() => storeCharge(null)}>
          {t('cost.putAway')}
        </Button>
      </CardHeader>
      <CardBody>
        <div className={styles.columns}>
          <CostBreakdown cost={cost} names={names} totalLabel={t('cost.onHoldNow')} />
          <Stack gap={3}>
            <AfterCharge before={balance.balance_before} after={balance.balance_after} currency={balance.currency} />
          </Stack>
        </div>
      </CardBody>
    </Card>
  );
}
