import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Words } from '../../shared/i18n/words.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Dialog } from '../../shared/ui/Dialog.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';

interface Props {
  title: string;
  /** What its button says. */
  send: string;
  sending: boolean;
  error: unknown;
  /** What to say when the server says nothing better. */
  fallback: Words;
  onSubmit: (event: FormEvent) => unknown;
  onClose: () => void;
  /** The fields, below what went wrong. */
  children: ReactNode;
  /** Above that: what this is for. */
  lead?: ReactNode;
  /** What stands there instead when it was sent and there is something to say of it. */
  done?: ReactNode;
}

/** A form of the settings in a dialog: its fields, what went wrong, *Cancel*, and the button that sends it. */
export function FormDialog({ title, send, sending, error, fallback, onSubmit, onClose, lead, done, children }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog
      open
      onClose={onClose}
      locked={sending}
      title={title}
      onSubmit={(event) => void onSubmit(event)}
      actions={
        done ? (
          <Button onClick={onClose}>{t('settings.close')}</Button>
        ) : (
          <>
            <Button variant="ghost" disabled={sending} onClick={onClose}>
              {t('settings.cancel')}
            </Button>
            <Button type="submit" loading={sending}>
              {send}
            </Button>
          </>
        )
      }
    >
      {done ?? (
        <Stack>
          {lead}
          <Problem error={error} fallback={fallback} />
          {children}
        </Stack>
      )}
    </Dialog>
  );
}
