import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { presentTask } from '../../parts/task/highlights.ts';
import type { ApiError } from '../../shared/api/errors.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Dialog } from '../../shared/ui/Dialog.tsx';

interface Props {
  error: ApiError;
  /** Called when the user closes the dialog without another action. */
  onClose: () => void;
  /** Called when the user retries. Without it the button only closes the dialog. */
  onRetry?: () => void;
  onOtherAccount: () => void;
}

/**
 * Renders the dialog for a 409 SCHEDULE_ALREADY_EXISTS response. If the existing task belongs to
 * the user, the dialog links to it or retries. If it belongs to another user, the user can only
 * close the dialog or use another portal account.
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
