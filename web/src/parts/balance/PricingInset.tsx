import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { cents, tasksAffordable } from '../../shared/api/pricing.ts';
import { queries } from '../../shared/api/queries.ts';
import { amount } from '../../shared/i18n/format.ts';
import { Tag } from '../../shared/legacy/Tag.tsx';
import { EstimateNotice } from './EstimateNotice.tsx';

/** The unit price with its discount, and how many tasks the balance allows. */
export function PricingInset({ available }: { available: number | undefined }) {
  const { t } = useTranslation();
  const { data: price, isFetching, refetch } = useQuery(queries.pricing());
  if (!price) return <Skeleton variant="rounded" height={104} />;
  const tasks = available === undefined ? 0 : tasksAffordable(available, price.unit_price);
  const saved = cents(price.original_price - price.unit_price);
  const says = () => {
    if (tasks === null) return t('balance.freeTasks');
    if (available === undefined) return null;
    return t('balance.allows', { count: tasks });
  };
  return (
    <Box
      sx={{
        p: '14px 16px',
        border: 1,
        borderColor: 'divider',
        borderRadius: '12px',
        bgcolor: 'background.quiet',
        display: 'grid',
        gridTemplateColumns: '1fr auto',
        gap: '2px 12px',
        alignItems: 'baseline',
      }}
    >
      <Box sx={{ fontSize: 20, fontWeight: 600, lineHeight: 1.4, fontVariantNumeric: 'tabular-nums' }}>
        {t('unit.cad', { amount: amount(price.unit_price), currency: price.currency })}{' '}
        <Box component="small" sx={{ fontSize: 13, fontWeight: 400, color: 'text.secondary', whiteSpace: 'nowrap' }}>
          {t('balance.perApplicant')}
        </Box>
      </Box>
      {price.estimate ? (
        <Tag tone="warn">{t('cost.estimateTag')}</Tag>
      ) : saved > 0 ? (
        <Box component="s" sx={{ justifySelf: 'end', fontSize: 14, color: 'text.tertiary', fontVariantNumeric: 'tabular-nums' }}>
          {amount(price.original_price)}
        </Box>
      ) : (
        <span />
      )}
      <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{says()}</Box>
      {saved > 0 ? <Tag tone="ok">{t('balance.saved', { amount: amount(saved) })}</Tag> : <span />}
      <Box
        sx={{ gridColumn: '1 / -1', mt: 0.75, pt: 1, borderTop: 1, borderColor: 'divider', fontSize: 13, color: 'text.tertiary' }}
      >
        {t('balance.priceNote')}
      </Box>
      {price.estimate && (
        <Box sx={{ gridColumn: '1 / -1', mt: 1 }}>
          <EstimateNotice onRetry={() => void refetch()} retrying={isFetching} />
        </Box>
      )}
    </Box>
  );
}
