import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, client } from '../../shared/api/client.ts';
import { ConfirmDialog } from '../../shared/ui/ConfirmDialog.tsx';
import { RecoveryCodesDialog } from './RecoveryCodes.tsx';

interface Props {
  onRenewed: () => void;
  onClose: () => void;
}

/** Renders the dialog that replaces the recovery codes: a confirmation, then the new codes. */
export function NewCodesDialog({ onRenewed, onClose }: Props) {
  const { t } = useTranslation();
  const renew = useMutation({
    mutationFn: () => answer(client.POST('/user/totp/recovery-codes')),
    onSettled: onRenewed,
  });
  if (renew.data) return <RecoveryCodesDialog codes={renew.data.recovery_codes} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={t('second.newCodes')}
      confirm={t('second.newCodes')}
      busy={renew.isPending}
      error={renew.error}
      fallback="second.newCodesFailed"
      onConfirm={() => renew.mutate()}
      onClose={onClose}
    >
      <span>{t('second.newCodesText')}</span>
    </ConfirmDialog>
  );
}
