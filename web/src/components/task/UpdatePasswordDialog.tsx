import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { toast } from 'sonner';
import { api } from '../../api/calls.ts';
import { hasCode } from '../../api/errors.ts';
import type { Task } from '../../api/types.ts';
import { errorWords } from '../../lib/errorWords.ts';
import { reloadTask } from '../../lib/liveUpdates.ts';
import { PasswordDialog } from '../wizard/PasswordDialog.tsx';

/** Verifies a new portal password for the task's account. "Already monitored by yourself" is an answer after a good sign-in, so it counts. */
async function renew(task: Task, password: string): Promise<void> {
  try {
    await api.verifyCredentials(
      { username: task.visa_credentials.username, password, countryCode: task.country_code, visaType: task.visa_type },
      true,
    );
  } catch (error) {
    const signedIn = hasCode(error, 'SCHEDULE_ALREADY_EXISTS') && (error.data as { owner?: string } | null)?.owner === 'self';
    if (!signedIn) throw error;
  }
}

/** The one button of a task whose portal password was rejected; starting it again stays the person's decision. */
export function UpdatePasswordDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const { t } = useTranslation();
  const update = useMutation({
    mutationFn: (password: string) => renew(task, password),
    onSuccess: () => {
      toast.success(t('toast.passwordRenewed'));
      void reloadTask(task.id);
      onClose();
    },
  });
  return (
    <PasswordDialog
      title={t('verdict.updatePassword')}
      account={task.visa_credentials.username}
      failure={update.isError ? errorWords(update.error, 'verify.check') : null}
      busy={update.isPending}
      onClose={onClose}
      onSubmit={(password) => update.mutate(password)}
    />
  );
}
