import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ApiError } from '../../api/errors.ts';
import { paths } from '../../routes/paths.ts';

/** 409 SCHEDULE_ALREADY_EXISTS: our own task is offered; another person's can only be left alone. */
export function TakenDialog({ error, onClose, onRetry }: { error: ApiError; onClose: () => void; onRetry: () => void }) {
  const { t } = useTranslation();
  const mine = (error.data as { owner?: string } | null)?.owner === 'self';
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby="taken-title">
      <DialogTitle id="taken-title">{t('verify.takenTitle')}</DialogTitle>
      <DialogContent>
        <DialogContentText>{mine ? t('verify.takenSelf') : t('verify.takenOther')}</DialogContentText>
      </DialogContent>
      <DialogActions>
        <Button variant="ghost" onClick={onClose}>
          {t('editor.cancel')}
        </Button>
        {mine ? (
          <Button component={Link} to={paths.dashboard}>
            {t('verify.useExisting')}
          </Button>
        ) : (
          <Button onClick={onRetry}>{t('verify.otherAccount')}</Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
