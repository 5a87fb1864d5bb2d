import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { Cost } from '../../shared/api/pricing.ts';
import { amount } from '../../shared/i18n/format.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { CostBreakdown } from './CostBreakdown.tsx';

interface Props {
  /** The total as it was shown; undefined when none was. */
  before: number | undefined;
  cost: Cost;
  names: Record<string, string>;
  /** What agreeing is called, where it is not a submit. */
  confirmWords?: Words;
  onConfirm: () => void;
  onClose: () => void;
}

/** The price moved while the page was open: old and new are shown, and the new one must be agreed to. */
export function PriceChangedDialog({ before, cost, names, confirmWords = 'submit.agreeNewPrice', onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  const { currency } = cost;
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby="price-title">
      <DialogTitle id="price-title">{t('submit.priceChanged')}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0,1fr)' }}>
        <Typography variant="body2">{t('submit.priceChangedText')}</Typography>
        {before !== undefined && (
          <Box
            component="dl"
            sx={{
              display: 'grid',
              gridTemplateColumns: '1fr 1fr',
              gap: '2px 16px',
              p: '12px 16px',
              borderRadius: '12px',
              bgcolor: 'background.quiet',
              fontVariantNumeric: 'tabular-nums',
              '& dt': { fontSize: 13, color: 'text.secondary', gridRow: 1 },
              '& dd': { fontSize: 18, fontWeight: 600, gridRow: 2 },
            }}
          >
            <dt>{t('submit.priceBefore')}</dt>
            <Box component="dd" sx={{ '&&': { fontWeight: 400 }, color: 'text.secondary' }}>
              <s>{t('unit.cad', { amount: amount(before), currency })}</s>
            </Box>
            <dt>{t('submit.priceNow')}</dt>
            <dd>{t('unit.cad', { amount: amount(cost.total_amount), currency })}</dd>
          </Box>
        )}
        <CostBreakdown cost={cost} names={names} />
      </DialogContent>
      <DialogActions>
        <Button variant="ghost" onClick={onClose}>
          {t('editor.cancel')}
        </Button>
        <Button onClick={onConfirm}>{t(confirmWords) as string}</Button>
      </DialogActions>
    </Dialog>
  );
}
