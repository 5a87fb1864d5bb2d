import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, client } from '../../shared/api/client.ts';
import { hasCode } from '../../shared/api/errors.ts';
import type { PortalAccount } from '../../shared/api/types.ts';
import { ConfirmDialog } from '../../shared/ui/ConfirmDialog.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import styles from './DeletePortalAccountDialog.module.css';

const LOOKING = ['submitted', 'processing', 'active'];

interface Props {
  account: PortalAccount;
  name: string;
  onDone: () => void;
  onClose: () => void;
}

/**
 * Renders the dialog that confirms deleting the stored credentials of a portal account, with the
 * consequences.
 */
export function DeletePortalAccountDialog({ account, name, onDone, onClose }: Props) {
  const { t } = useTranslation();
  const remove = useMutation({
    mutationFn: async () => {
      try {
        await answer(client.DELETE('/user/credentials/{id}', { params: { path: { id: account.id } } }));
      } catch (error) {
        // The credentials were already deleted, which counts as a success.
        if (!hasCode(error, 'NOT_FOUND')) throw error;
      }
    },
    onSuccess: () => {
      toast.success(t('portalAccounts.deleted'));
      onClose();
    },
    onSettled: onDone,
  });
  const stopping = account.tasks.filter((task) => LOOKING.includes(task.status));
  return (
    <ConfirmDialog
      title={t('portalAccounts.deleteTitle')}
      confirm={t('portalAccounts.delete')}
      grave
      busy={remove.isPending}
      error={remove.error}
      fallback="portalAccounts.deleteFailed"
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <b>{name}</b>
      <span>{t('portalAccounts.deleteText')}</span>
      {stopping.length > 0 && (
        <div>
          {t('portalAccounts.deleteStops', { count: stopping.length })}
          <ul className={styles.tasks}>
            {stopping.map((task) => (
              <li key={task.id}>{task.title}</li>
            ))}
          </ul>
          {t('portalAccounts.deleteHold')}
        </div>
      )}
    </ConfirmDialog>
  );
}
