import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';

import { hasCode, STEP_UP_DECLINED } from '../api/errors.ts';
import type { Words } from '../i18n/words.ts';
import { Problem } from './Problem.tsx';

interface Props {
  title: string;
  children: ReactNode;
  confirm: string;
  /** Red, for what cannot be taken back. */
  grave?: boolean;
  busy: boolean;
  error: unknown;
  fallback: Words;
  onConfirm: () => void;
  onClose: () => void;
}

/** Says what will happen and asks for one more press; the cautious answer has the focus. */
export function ConfirmDialog({ title, children, confirm, grave, busy, error, fallback, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <Dialog
      open
      onClose={busy ? undefined : onClose}
      maxWidth="xs"
      fullWidth
      aria-labelledby={id}
      aria-describedby={`${id}-text`}
    >
      <DialogTitle id={id}>{title}</DialogTitle>
      <DialogContent id={`${id}-text`} sx={{ display: 'grid', gap: 1.5, fontSize: 14, lineHeight: 1.6 }}>
        {children}
        <Problem error={hasCode(error, STEP_UP_DECLINED) ? null : error} fallback={fallback} />
      </DialogContent>
      <DialogActions>
        <Button variant="ghost" autoFocus disabled={busy} onClick={onClose}>
          {t('settings.cancel')}
        </Button>
        <Button color={grave ? 'error' : 'primary'} variant={grave ? 'outlined' : 'contained'} loading={busy} onClick={onConfirm}>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
