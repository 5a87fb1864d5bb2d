import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queries } from '../../api/queries.ts';
import { amount } from '../../i18n/format.ts';
import { Tag } from '../../ui/Tag.tsx';

/** The unit price with its discount, and how many tasks the balance allows. */
export function PricingInset({ available }: { available: number }) {
  const { t } = useTranslation();
  const { data: price } = useQuery(queries.pricing());
  if (!price) return <Skeleton variant="rounded" height={104} />;
  const tasks = price.unit_price > 0 ? Math.floor(available / price.unit_price) : null;
  const saved = price.original_price - price.unit_price;
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
      {saved > 0 ? (
        <Box component="s" sx={{ justifySelf: 'end', fontSize: 14, color: 'text.tertiary', fontVariantNumeric: 'tabular-nums' }}>
          {amount(price.original_price)}
        </Box>
      ) : (
        <span />
      )}
      <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
        {price.estimate ? t('cost.estimate') : tasks === null ? t('balance.freeTasks') : t('balance.allows', { count: tasks })}
      </Box>
      {saved > 0 ? <Tag tone="ok">{t('balance.saved', { amount: amount(saved) })}</Tag> : <span />}
      <Box
        sx={{ gridColumn: '1 / -1', mt: 0.75, pt: 1, borderTop: 1, borderColor: 'divider', fontSize: 13, color: 'text.tertiary' }}
      >
        {t('balance.priceNote')}
      </Box>
    </Box>
  );
}
