import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queries } from '../../api/queries.ts';
import { amount } from '../../i18n/format.ts';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { Notice } from '../../ui/Notice.tsx';

/** What it costs: unit price, applicants, the sum held on submit, and what is left after it. */
export function CostCard({ applicants }: { applicants: number }) {
  const { t } = useTranslation();
  const { data: price } = useQuery(queries.pricing());
  const { data: credit } = useQuery(queries.credit());
  if (!price) return null;
  const total = price.unit_price * applicants;
  const left = credit ? credit.credit - total : null;
  const dl = {
    display: 'grid',
    gridTemplateColumns: '1fr auto',
    gap: '6px 12px',
    fontSize: 14,
    fontVariantNumeric: 'tabular-nums',
    '& dt': { color: 'text.secondary' },
    '& dd': { textAlign: 'right' },
  } as const;
  return (
    <Card component="section">
      <CardHeader icon="wallet" title={t('cost.title')} />
      <Box sx={{ p: { xs: 2, sm: '14px 20px 20px' }, display: 'grid', gap: 1.5 }}>
        {price.estimate && <Notice tone="warning">{t('cost.estimate')}</Notice>}
        <Box component="dl" sx={dl}>
          <dt>{t('cost.unit')}</dt>
          <dd>
            {price.original_price > price.unit_price && (
              <Box component="s" sx={{ color: 'text.tertiary', mr: 1 }}>
                {amount(price.original_price)}
              </Box>
            )}
            {amount(price.unit_price)}
          </dd>
          <dt>{t('cost.applicants')}</dt>
          <dd>{t('cost.times', { count: applicants })}</dd>
          <Box
            component="dt"
            sx={{
              fontSize: 16,
              fontWeight: 600,
              '&&': { color: 'text.primary' },
              pt: 1.25,
              borderTop: 1,
              borderColor: 'divider',
            }}
          >
            {t('cost.held')}
          </Box>
          <Box
            component="dd"
            sx={{ fontSize: 16, fontWeight: 600, pt: 1.25, borderTop: 1, borderColor: 'divider', whiteSpace: 'nowrap' }}
          >
            {t('unit.cad', { amount: amount(total), currency: price.currency })}
          </Box>
        </Box>
        {credit && (
          <Box
            component="dl"
            sx={{ ...dl, p: '10px 14px', borderRadius: '12px', border: 1, borderColor: 'divider', bgcolor: 'background.quiet' }}
          >
            <dt>{t('cost.available')}</dt>
            <dd>{amount(credit.credit)}</dd>
            <dt>{t('cost.left')}</dt>
            <Box
              component="dd"
              sx={{
                color: left !== null && left < 0 ? 'error.ink' : undefined,
                fontWeight: left !== null && left < 0 ? 600 : undefined,
              }}
            >
              {amount(left ?? 0)}
            </Box>
          </Box>
        )}
        <Typography variant="caption" color="textSecondary">
          {t('cost.promise')}
        </Typography>
      </Box>
    </Card>
  );
}
