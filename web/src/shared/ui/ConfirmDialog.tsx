import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { hasCode, STEP_UP_DECLINED } from '../api/errors.ts';
import type { TextKey } from '../i18n/textKey.ts';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { Stack } from './Layout.tsx';
import { Problem } from './Problem.tsx';

interface Props {
  title: string;
  children: ReactNode;
  confirm: string;
  /** Makes the confirming button red, for irreversible actions. */
  grave?: boolean;
  busy: boolean;
  error: unknown;
  fallback: TextKey;
  onConfirm: () => void;
  onClose: () => void;
}

/**
 * Renders a dialog that explains the consequences of an action and asks for confirmation. *Cancel*
 * has the focus.
 */
export function ConfirmDialog({ title, children, confirm, grave, busy, error, fallback, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open
      onClose={onClose}
      locked={busy}
      title={title}
      initialFocus={cancel}
      actions={
        <>
          <Button variant="ghost" ref={cancel} disabled={busy} onClick={onClose}>
            {t('settings.cancel')}
          </Button>
          <Button variant={grave ? 'danger' : 'primary'} loading={busy} onClick={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    >
      <Stack gap={3}>
        {children}
        <Problem error={hasCode(error, STEP_UP_DECLINED) ? null : error} fallback={fallback} />
      </Stack>
    </Dialog>
  );
}
