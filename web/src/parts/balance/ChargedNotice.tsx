import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import { useTranslation } from 'react-i18next';
import { CardHeader } from '../../shared/legacy/CardHeader.tsx';
import { AfterCharge } from './AfterCharge.tsx';
import { CostBreakdown } from './CostBreakdown.tsx';
import { keepCharge, useLastCharge } from './lastCharge.ts';

/** After a submit: what was put on hold, part by part, and what that left; stays until it is put away. */
export function ChargedNotice() {
  const { t } = useTranslation();
  const charge = useLastCharge();
  if (!charge) return null;
  const { cost, balance, names } = charge;
  return (
    <Card component="section" aria-labelledby="charged-title" sx={{ mb: { xs: 2, md: 3 } }}>
      <CardHeader icon="checkCircle" title={t('cost.charged')} id="charged-title">
        <Button variant="text" size="small" onClick={() => keepCharge(null)}>
          {t('cost.putAway')}
        </Button>
      </CardHeader>
      <Box
        sx={{
          p: { xs: '8px 16px 16px', sm: '8px 20px 20px' },
          display: 'grid',
          gap: 2,
          gridTemplateColumns: { xs: 'minmax(0,1fr)', md: 'minmax(0,1fr) minmax(0,1fr)' },
          alignItems: 'start',
        }}
      >
        <CostBreakdown cost={cost} names={names} totalLabel={t('cost.onHoldNow')} />
        <Box sx={{ display: 'grid', gap: 1.5 }}>
          <AfterCharge before={balance.balance_before} after={balance.balance_after} currency={balance.currency} />
        </Box>
      </Box>
    </Card>
  );
}
