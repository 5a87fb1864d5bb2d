import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

/** Asks before changes are lost that were not saved; to go on editing is the answer that has the focus. */
export function DiscardDialog({ onDiscard, onKeep }: { onDiscard: () => void; onKeep: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog open onClose={onKeep} maxWidth="xs" fullWidth aria-labelledby="discard-title" aria-describedby="discard-text">
      <DialogTitle id="discard-title">{t('editor.discardTitle')}</DialogTitle>
      <DialogContent id="discard-text" sx={{ fontSize: 14, lineHeight: 1.6 }}>
        {t('editor.discardText')}
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" color="error" onClick={onDiscard}>
          {t('editor.discard')}
        </Button>
        <Button autoFocus onClick={onKeep}>
          {t('editor.goOnEditing')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Has the browser ask before the page itself is left while there is something to lose. */
export function useUnloadGuard(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [dirty]);
}
