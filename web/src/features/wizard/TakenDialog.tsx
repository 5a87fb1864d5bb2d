import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { presentTask } from '../../parts/task/highlights.ts';
import type { ApiError } from '../../shared/api/errors.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Dialog } from '../../shared/ui/Dialog.tsx';

interface Props {
  error: ApiError;
  /** Closes without a change. */
  onClose: () => void;
  /** Retries. Without it the dialog can only be closed. */
  onRetry?: () => void;
  onOtherAccount: () => void;
}

/**
 * Renders 409 SCHEDULE_ALREADY_EXISTS. For the user's own task it offers that task or a retry. For
 * another user's task it can only be closed.
 */
export function TakenDialog({ error, onClose, onRetry = onClose, onOtherAccount }: Props) {
  const { t } = useTranslation();
  const data = error.data as { owner?: string; schedule_ids?: string[] } | null;
  const mine = data?.owner === 'self';
  const [taskId] = data?.schedule_ids ?? [];
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('verify.takenTitle')}
      actions={
        mine ? (
          <>
            <Button variant="ghost" onClick={onRetry}>
              {t('verify.cancelRetry')}
            </Button>
            <ButtonLink
              render={<Link to={{ pathname: paths.dashboard, hash: taskId ? `#task-${taskId}` : '' }} />}
              onClick={() => taskId && presentTask(taskId)}
            >
              {t('verify.useExisting')}
            </ButtonLink>
          </>
        ) : (
          <>
            <Button variant="ghost" onClick={onClose}>
              {t('editor.cancel')}
            </Button>
            <Button onClick={onOtherAccount}>{t('verify.otherAccount')}</Button>
          </>
        )
      }
    >
      <p>{mine ? t('verify.takenSelf') : t('problem.takenOther')}</p>
    </Dialog>
  );
}
