import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import IconButton from '@mui/material/IconButton';
import Skeleton from '@mui/material/Skeleton';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queries, queryClient } from '../../api/queries.ts';
import { useNow } from '../../lib/useNow.ts';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { BalanceFigure } from './BalanceFigure.tsx';
import { Movements } from './Movements.tsx';
import { PricingInset } from './PricingInset.tsx';
import { SupportContacts } from './SupportContacts.tsx';
import { TopupForm } from './TopupForm.tsx';

/** What is available, what is on hold, what a task costs, the code form, whom to ask, and the last movements. */
export function BalanceCard() {
  const { t } = useTranslation();
  const credit = useQuery(queries.credit());
  const now = useNow(5_000);
  const seconds = Math.max(0, Math.round((now - credit.dataUpdatedAt) / 1000));
  const refresh = () => {
    for (const name of ['credit', 'ledger']) void queryClient.invalidateQueries({ queryKey: [name] });
  };
  return (
    <Card component="section" id="balance" aria-labelledby="balance-title">
      <CardHeader icon="wallet" title={t('balance.title')} id="balance-title">
        {credit.data && (
          <Box component="span" sx={{ fontSize: 13, color: 'text.tertiary', fontVariantNumeric: 'tabular-nums' }}>
            {t('balance.updated', { count: seconds })}
          </Box>
        )}
        <IconButton aria-label={t('balance.refresh')} onClick={refresh} disabled={credit.isFetching} sx={{ mr: -1 }}>
          <Icon name="refresh" size={18} />
        </IconButton>
      </CardHeader>
      <Box sx={{ p: { xs: '12px 16px 16px', sm: '14px 20px 20px' }, display: 'grid', gap: 2 }}>
        {credit.data ? (
          <BalanceFigure credit={credit.data} />
        ) : credit.isError ? (
          <Notice tone="error">{t('balance.failed')}</Notice>
        ) : (
          <Skeleton variant="rounded" height={92} />
        )}
        <PricingInset available={credit.data?.credit ?? 0} />
        <TopupForm />
      </Box>
      <SupportContacts />
      <Movements />
    </Card>
  );
}
