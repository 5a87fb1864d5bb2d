import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIdentity } from '../../shared/api/useIdentity.ts';
import { copyText } from '../../shared/browser/copyText.ts';
import { saveFile } from '../../shared/browser/saveFile.ts';
import { toast } from '../../shared/ui/toasts.ts';

interface Props {
  codes: string[];
  onClose: () => void;
}

/** Shows new recovery codes this once; it closes only when someone says that they are saved. */
export function RecoveryCodesDialog({ codes, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog open maxWidth="xs" fullWidth aria-labelledby="codes-title">
      <DialogTitle id="codes-title">{t('second.codesTitle')}</DialogTitle>
      <RecoveryCodes codes={codes} onClose={onClose} />
    </Dialog>
  );
}

/** The inside of that dialog, for the set-up which ends with it. */
export function RecoveryCodes({ codes, onClose }: Props) {
  const { t } = useTranslation();
  const identity = useIdentity();
  const [copied, setCopied] = useState(false);
  const [saved, setSaved] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.focus(), []);
  const copy = async () => {
    if (await copyText(codes.join('\n'))) setCopied(true);
    else toast.error(t('support.copyFailed'));
  };
  const download = () => {
    const text = `${t('second.fileHead', { email: identity?.email ?? '', interpolation: { escapeValue: false } })}\n\n${codes.join('\n')}\n`;
    saveFile(new Blob([text], { type: 'text/plain;charset=utf-8' }), t('second.fileName'));
  };
  return (
    <>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <Typography variant="body2" color="textSecondary">
          {t('second.codesText')}
        </Typography>
        <Box
          component="ul"
          ref={list}
          tabIndex={-1}
          aria-label={t('second.codesTitle')}
          sx={{
            display: 'grid',
            gridTemplateColumns: '1fr 1fr',
            gap: '6px 12px',
            p: '14px 16px !important',
            borderRadius: '12px',
            bgcolor: 'background.quiet',
            fontFamily: 'ui-monospace, Menlo, Consolas, monospace',
            fontSize: 15,
            textAlign: 'center',
            whiteSpace: 'nowrap',
            outline: 'none',
          }}
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </Box>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          <Button variant="outlined" size="small" onClick={copy}>
            {copied ? t('second.copiedAll') : t('second.copyAll')}
          </Button>
          <Button variant="outlined" size="small" onClick={download}>
            {t('second.download')}
          </Button>
        </Box>
        <FormControlLabel
          control={<Checkbox checked={saved} onChange={(event) => setSaved(event.target.checked)} />}
          label={t('second.saved')}
        />
        <Box role="status" sx={{ position: 'absolute', clipPath: 'inset(50%)', width: '1px', height: '1px', overflow: 'hidden' }}>
          {copied && t('second.copiedAll')}
        </Box>
      </DialogContent>
      <DialogActions>
        <Button disabled={!saved} onClick={onClose}>
          {t('second.done')}
        </Button>
      </DialogActions>
    </>
  );
}
