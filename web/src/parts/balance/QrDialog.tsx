import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { QrImage } from './QrImage.tsx';

interface Props {
  title: string;
  /** What the code says. */
  value: string;
  /** What the picture is called. */
  label: string;
  /** The id to look for by hand. */
  id: string | null;
  onClose: () => void;
}

/** A QR code large enough to be scanned from a screen, as a picture that can be pressed long and saved. */
export function QrDialog({ title, value, label, id, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog open onClose={onClose} maxWidth="xs" aria-labelledby="qr-title">
      <DialogTitle id="qr-title">{title}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 1.5, justifyItems: 'center', textAlign: 'center' }}>
        <Box sx={{ p: 1.5, borderRadius: '12px', bgcolor: 'common.white', border: 1, borderColor: 'divider', lineHeight: 0 }}>
          <QrImage key={value} value={value} label={label} />
        </Box>
        <Typography variant="body2" color="textSecondary" sx={{ maxWidth: 280 }}>
          {t('support.qrHint')}
        </Typography>
        {id && (
          <Typography variant="body2" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
            {t('support.qrSearch', { id })}
          </Typography>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} autoFocus>
          {t('support.close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
