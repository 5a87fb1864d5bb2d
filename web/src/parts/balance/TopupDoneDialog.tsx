import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { TopupResult } from '../../shared/api/types.ts';
import { amount } from '../../shared/i18n/format.ts';
import { Illustration } from '../../shared/legacy/Illustration.tsx';

/** Says what a code added and what the balance is now. */
export function TopupDoneDialog({ result, onClose }: { result: TopupResult; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby="topup-done">
      <DialogTitle id="topup-done">{t('topup.done')}</DialogTitle>
      <DialogContent>
        <Illustration name="done" width={152} />
        <Typography variant="figureLg" component="p" sx={{ mt: 2 }}>
          {t('topup.added', { amount: amount(result.amount), currency: result.currency })}
        </Typography>
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1, fontVariantNumeric: 'tabular-nums' }}>
          {t('topup.balance', {
            before: amount(result.balance_before),
            after: amount(result.balance_after),
            currency: result.currency,
          })}
        </Typography>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} autoFocus>
          {t('topup.close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
