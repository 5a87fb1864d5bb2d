import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import IconButton from '@mui/material/IconButton';
import Skeleton from '@mui/material/Skeleton';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queries, refreshMoney } from '../../shared/api/queries.ts';
import { balanceErrorWords } from '../../shared/format/errorWords.ts';
import { useNow } from '../../shared/hooks/useNow.ts';
import { CardHeader } from '../../shared/legacy/CardHeader.tsx';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { BalanceFigure } from './BalanceFigure.tsx';
import { LastMovements } from './LastMovements.tsx';
import { PricingInset } from './PricingInset.tsx';
import { SupportContacts } from './SupportContacts.tsx';
import { TopupPanel } from './TopupPanel.tsx';

const MINUTE_S = 60;

/** How old the balance shown is. */
function Age({ at }: { at: number }) {
  const { t } = useTranslation();
  const seconds = Math.max(0, Math.round((useNow(5_000) - at) / 1000));
  return (
    <Box component="span" sx={{ fontSize: 13, color: 'text.tertiary', fontVariantNumeric: 'tabular-nums' }}>
      {seconds < MINUTE_S
        ? t('balance.updated', { count: seconds })
        : t('balance.updatedMinutes', { count: Math.floor(seconds / MINUTE_S) })}
    </Box>
  );
}

interface Props {
  id?: string;
  /** An amount to offer for a card payment. */
  suggested?: number;
  /** Where the card stands in a dialog: told the available balance after a top-up. The movements are left out there. */
  onCredited?: (balanceAfter: number) => void;
}

/** What is available, what is on hold, what a task costs, the ways to top up, whom to ask, and the last movements. */
export function BalanceCard({ id = 'balance', suggested, onCredited }: Props) {
  const { t } = useTranslation();
  const credit = useQuery(queries.credit());
  const again = (
    <Button variant="outlined" size="small" onClick={refreshMoney} loading={credit.isFetching}>
      {t('problem.retry')}
    </Button>
  );
  return (
    <Card component="section" id={id} aria-labelledby={`${id}-title`}>
      <CardHeader icon="wallet" title={t('balance.title')} id={`${id}-title`}>
        {credit.data && <Age at={credit.dataUpdatedAt} />}
        <IconButton
          aria-label={credit.isFetching ? t('balance.refreshing') : t('balance.refresh')}
          onClick={refreshMoney}
          disabled={credit.isFetching}
          sx={{ mr: -1 }}
        >
          <Icon name="refresh" size={18} />
        </IconButton>
      </CardHeader>
      <Box
        sx={{ p: { xs: '12px 16px 16px', sm: '14px 20px 20px' }, display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0,1fr)' }}
      >
        {credit.data && <BalanceFigure credit={credit.data} />}
        {credit.isError && (
          <Notice tone={credit.data ? 'warning' : 'error'} action={again}>
            {t(balanceErrorWords(credit.error))}
          </Notice>
        )}
        {!credit.data && !credit.isError && <Skeleton variant="rounded" height={92} />}
        <PricingInset available={credit.data?.credit} />
        <TopupPanel suggested={suggested} onCredited={onCredited} />
      </Box>
      <SupportContacts />
      {!onCredited && <LastMovements />}
    </Card>
  );
}
