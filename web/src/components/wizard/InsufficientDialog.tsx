import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { CostDetails } from '../../api/types.ts';
import { amount } from '../../i18n/format.ts';
import { recommendedTopUp } from '../../lib/wizardChoice.ts';
import { SupportContacts } from '../money/SupportContacts.tsx';
import { TopupForm } from '../money/TopupForm.tsx';
import { CostBreakdown } from './CostBreakdown.tsx';

/** What a 402 carries. */
export interface Shortage {
  required_amount: number;
  available_amount: number;
  currency: string;
}

interface Props {
  shortage: Shortage;
  cost: CostDetails | null;
  names: Record<string, string>;
  onClose: () => void;
}

/** Not enough balance: how much is missing, what to top up, and the place to do it; the wizard waits behind. */
export function InsufficientDialog({ shortage, cost, names, onClose }: Props) {
  const { t } = useTranslation();
  const { currency } = shortage;
  const missing = Math.max(0, shortage.required_amount - shortage.available_amount);
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby="short-title">
      <DialogTitle id="short-title">{t('submit.insufficientTitle')}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2, pb: 0 }}>
        <Typography variant="body2">
          {t('submit.insufficientText', {
            required: amount(shortage.required_amount),
            available: amount(shortage.available_amount),
            missing: amount(missing),
            currency,
          })}
        </Typography>
        {cost && <CostBreakdown cost={cost} names={names} />}
        <Box sx={{ p: 1.5, borderRadius: '12px', bgcolor: 'primary.soft', fontSize: 14 }}>
          {t('submit.recommended', { amount: amount(recommendedTopUp(missing)), minimum: amount(missing), currency })}
        </Box>
        <TopupForm onCredited={onClose} />
        <Box sx={{ mx: { xs: -2, sm: -2.5 } }}>
          <SupportContacts />
        </Box>
      </DialogContent>
      <DialogActions>
        <Button variant="ghost" onClick={onClose}>
          {t('submit.later')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
