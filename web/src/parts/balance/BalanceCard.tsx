import { useQuery } from '@tanstack/react-query';
import { RefreshCw, Wallet } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { queries, refreshMoney } from '../../shared/api/queries.ts';
import { useNow } from '../../shared/hooks/useNow.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Card, CardBody, CardHeader } from '../../shared/ui/Card.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { IconButton } from '../../shared/ui/IconButton.tsx';
import { Row, Stack } from '../../shared/ui/Layout.tsx';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { BalanceFigure } from './BalanceFigure.tsx';
import styles from './balance.module.css';
import { balanceErrorText } from './errorText.ts';
import { LastMovements } from './LastMovements.tsx';
import { PricingInset } from './PricingInset.tsx';
import { SupportContacts } from './SupportContacts.tsx';
import { TopupPanel } from './TopupPanel.tsx';

const MINUTE_S = 60;

/** Renders the age of the displayed balance. */
function Age({ at }: { at: number }) {
  const { t } = useTranslation();
  const seconds = Math.max(0, Math.round((useNow(5_000) - at) / 1000));
  return (
    <Text as="span" variant="caption" color="tertiary" tabular>
      {seconds < MINUTE_S
        ? t('balance.updated', { count: seconds })
        : t('balance.updatedMinutes', { count: Math.floor(seconds / MINUTE_S) })}
    </Text>
  );
}

interface Props {
  id?: string;
  /** Suggested amount for a card payment. */
  suggested?: number;
  /** True within a sheet, whose title and frame replace those of the card. */
  inSheet?: boolean;
  /**
   * Called with the available balance after a top-up. Only the dialog sets it, and then no
   * movements are shown.
   */
  onCredited?: (balanceAfter: number) => void;
}

/**
 * Renders the card of the balance: the available amount, the amount on hold, the price of a task,
 * the top-up methods, the contacts of support, and the last movements.
 */
export function BalanceCard({ id = 'balance', suggested, inSheet = false, onCredited }: Props) {
  const { t } = useTranslation();
  const credit = useQuery(queries.credit());
  const again = (
    <Button variant="secondary" size="small" onClick={refreshMoney} loading={credit.isFetching}>
      {t('problem.retry')}
    </Button>
  );
  const refresh = (
    <>
      {credit.data && <Age at={credit.dataUpdatedAt} />}
      <IconButton
        label={credit.isFetching ? t('balance.refreshing') : t('balance.refresh')}
        onClick={refreshMoney}
        disabled={credit.isFetching}
        className={styles.refresh}
      >
        <Icon of={RefreshCw} size={18} />
      </IconButton>
    </>
  );
  return (
    <Card
      as="section"
      id={id}
      aria-label={inSheet ? t('balance.title') : undefined}
      aria-labelledby={inSheet ? undefined : `${id}-title`}
      className={inSheet ? styles.inSheet : undefined}
    >
      {inSheet ? (
        <Row justify="between" className={styles.sheetHead}>
          {refresh}
        </Row>
      ) : (
        <CardHeader icon={<Icon of={Wallet} />} title={t('balance.title')} id={`${id}-title`}>
          {refresh}
        </CardHeader>
      )}
      <CardBody>
        <Stack>
          {credit.data && <BalanceFigure credit={credit.data} />}
          {credit.isError && (
            <Alert tone={credit.data ? 'warning' : 'error'} action={again}>
              {t(balanceErrorText(credit.error))}
            </Alert>
          )}
          {!credit.data && !credit.isError && <Skeleton kind="block" className={styles.figureRoom} />}
          <PricingInset available={credit.data?.credit} />
          <div id={`${id}-top-up`}>
            <TopupPanel suggested={suggested} onCredited={onCredited} />
          </div>
        </Stack>
      </CardBody>
      <SupportContacts />
      {!onCredited && <LastMovements />}
    </Card>
  );
}
