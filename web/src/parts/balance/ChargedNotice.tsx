import { CircleCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../shared/ui/Button.tsx';
import { Card, CardBody, CardHeader } from '../../shared/ui/Card.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { AfterCharge } from './AfterCharge.tsx';
import styles from './ChargedNotice.module.css';
import { CostBreakdown } from './CostBreakdown.tsx';
import { keepCharge, useLastCharge } from './lastCharge.ts';

/** After a submit: what was put on hold, part by part, and what that left; stays until it is put away. */
export function ChargedNotice() {
  const { t } = useTranslation();
  const charge = useLastCharge();
  if (!charge) return null;
  const { cost, balance, names } = charge;
  return (
    <Card as="section" aria-labelledby="charged-title" className={styles.card}>
      <CardHeader icon={<Icon of={CircleCheck} />} title={t('cost.charged')} id="charged-title">
        <Button variant="text" size="small" onClick={() => keepCharge(null)}>
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
