import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../shared/ui/Button.tsx';
import { Dialog } from '../../shared/ui/Dialog.tsx';

/** Renders the dialog that warns about unsaved changes. *Continue editing* has the focus. */
export function DiscardDialog({ onDiscard, onKeep }: { onDiscard: () => void; onKeep: () => void }) {
  const { t } = useTranslation();
  const keep = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open
      onClose={onKeep}
      title={t('editor.discardTitle')}
      initialFocus={keep}
      actions={
        <>
          <Button variant="danger" onClick={onDiscard}>
            {t('editor.discard')}
          </Button>
          <Button ref={keep} onClick={onKeep}>
            {t('editor.goOnEditing')}
          </Button>
        </>
      }
    >
      {t('editor.discardText')}
    </Dialog>
  );
}
