import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Words } from '../../shared/i18n/words.ts';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { PasswordField } from '../../shared/ui/PasswordField.tsx';

interface Props {
  title: string;
  account: string;
  failure: Words | null;
  busy?: boolean;
  onClose: () => void;
  onSubmit: (password: string) => void;
}

/** Asks for the portal password of one account. */
export function PasswordDialog({ title, account, failure, busy = false, onClose, onSubmit }: Props) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password) onSubmit(password);
  };
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby="portal-password-title">
      <Box component="form" onSubmit={submit}>
        <DialogTitle id="portal-password-title">{title}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 2 }}>
          <Typography variant="body2" color="textSecondary">
            {account}
          </Typography>
          {failure && <Notice tone="error">{t(failure)}</Notice>}
          <PasswordField
            label={t('portal.password')}
            autoComplete="off"
            autoFocus
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </DialogContent>
        <DialogActions>
          <Button variant="ghost" onClick={onClose}>
            {t('editor.cancel')}
          </Button>
          <Button type="submit" disabled={!password} loading={busy}>
            {t('portal.verify')}
          </Button>
        </DialogActions>
      </Box>
    </Dialog>
  );
}
