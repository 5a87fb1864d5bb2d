import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { CardPayment } from '../../shared/api/money.ts';
import { amount } from '../../shared/i18n/format.ts';
import { Illustration } from '../../shared/legacy/Illustration.tsx';

/** Says that a payment by card arrived, and whether the balance has it already. */
export function CardDoneDialog({ payment, onClose }: { payment: CardPayment; onClose: () => void }) {
  const { t } = useTranslation();
  const currency = payment.currency.toUpperCase();
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby="card-done">
      <DialogTitle id="card-done">{t('card.done')}</DialogTitle>
      <DialogContent>
        <Illustration name="done" width={152} />
        <Typography variant="figureLg" component="p" sx={{ mt: 2 }}>
          {t('topup.added', { amount: amount(payment.amount), currency })}
        </Typography>
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
          {payment.credited ? t('card.doneText', { amount: amount(payment.amount), currency }) : t('card.doneSoon')}
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
