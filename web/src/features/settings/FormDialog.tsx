import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Dialog } from '../../shared/ui/Dialog.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';

interface Props {
  title: string;
  /** Label of the submit button. */
  send: string;
  sending: boolean;
  error: unknown;
  /** Text for an error whose code has no text. */
  fallback: TextKey;
  onSubmit: (event: FormEvent) => unknown;
  onClose: () => void;
  /** Fields of the form, below the error. */
  children: ReactNode;
  /** Introduction above the error. */
  lead?: ReactNode;
  /** Content that replaces the form after a success, if any. */
  done?: ReactNode;
}

/** Renders a form in a dialog: fields, error, *Cancel*, and the submit button. */
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
