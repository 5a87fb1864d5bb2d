import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { CostDetails } from '../../api/types.ts';
import { CostBreakdown } from './CostBreakdown.tsx';

interface Props {
  cost: CostDetails;
  names: Record<string, string>;
  onConfirm: () => void;
  onClose: () => void;
}

/** The price moved while the wizard was open: the new one is shown and must be agreed to again. */
export function PriceChangedDialog({ cost, names, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby="price-title">
      <DialogTitle id="price-title">{t('submit.priceChanged')}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <Typography variant="body2">{t('submit.priceChangedText')}</Typography>
        <CostBreakdown cost={cost} names={names} />
      </DialogContent>
      <DialogActions>
        <Button variant="ghost" onClick={onClose}>
          {t('editor.cancel')}
        </Button>
        <Button onClick={onConfirm}>{t('submit.agreeNewPrice')}</Button>
      </DialogActions>
    </Dialog>
  );
}
