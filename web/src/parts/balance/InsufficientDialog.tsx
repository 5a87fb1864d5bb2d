import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import type { Theme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Cost, cents, recommendedTopUp, type Shortage } from '../../shared/api/pricing.ts';
import { queries } from '../../shared/api/queries.ts';
import { amount } from '../../shared/i18n/format.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { BalanceCard } from './BalanceCard.tsx';
import { CostBreakdown } from './CostBreakdown.tsx';

interface Props {
  shortage: Shortage;
  cost: Cost | null;
  names: Record<string, string>;
  onClose: () => void;
  /** What the button says that goes on with what the balance was short for. */
  action?: Words;
  onResume: () => void;
}

/** Not enough balance: how much is missing, what to top up, and the place to do it; once covered, a button that says so goes on with what was begun. */
export function InsufficientDialog({ shortage, cost, names, onClose, action = 'submit.goOn', onResume }: Props) {
  const { t } = useTranslation();
  const narrow = useMediaQuery((theme: Theme) => theme.breakpoints.down('sm'));
  const { data: credit } = useQuery(queries.credit());
  const { currency, required_amount } = shortage;
  // Known from the top-up itself, before the balance has been read anew.
  const [covered, setCovered] = useState(false);
  const available = Math.max(shortage.available_amount, credit?.credit ?? 0);
  const missing = covered ? 0 : Math.max(0, cents(required_amount - available));
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth fullScreen={narrow} aria-labelledby="short-title">
      <DialogTitle id="short-title" sx={{ px: { xs: 2, sm: 3 } }}>
        {t(missing > 0 ? 'submit.insufficientTitle' : 'submit.coveredTitle')}
      </DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0,1fr)', px: { xs: 2, sm: 3 }, pb: 1 }}>
        <Typography variant="body2" role="status">
          {missing > 0
            ? t('submit.insufficientText', {
                required: amount(required_amount),
                available: amount(available),
                missing: amount(missing),
                currency,
              })
            : t('submit.covered')}
        </Typography>
        {cost && <CostBreakdown cost={cost} names={names} />}
        {missing > 0 && (
          <Box sx={{ p: 1.5, borderRadius: '12px', bgcolor: 'primary.soft', fontSize: 14 }}>
            {t('submit.recommended', { amount: amount(recommendedTopUp(missing)), minimum: amount(missing), currency })}
          </Box>
        )}
        <BalanceCard
          id="balance-short"
          suggested={missing > 0 ? recommendedTopUp(missing) : undefined}
          onCredited={(after) => setCovered(after >= required_amount)}
        />
      </DialogContent>
      <DialogActions>
        <Button variant="ghost" onClick={onClose}>
          {t('submit.later')}
        </Button>
        {missing === 0 && (
          <Button autoFocus onClick={onResume}>
            {t(action)}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
