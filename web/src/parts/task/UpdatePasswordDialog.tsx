import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, client } from '../../shared/api/client.ts';
import { hasCode, STEP_UP_DECLINED } from '../../shared/api/errors.ts';
import { errorText } from '../../shared/format/errorText.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { toast } from '../../shared/ui/toasts.ts';
import { PasswordDialog } from '../portalAccount/PasswordDialog.tsx';
import { reloadTask } from './taskCache.ts';

interface Login {
  username: string;
  countryCode: string;
  visaType: string;
}

interface Props {
  login: Login;
  /** Masked name of the portal account, if names are hidden. */
  shownAs?: string;
  /** Ids of the tasks to reload afterwards. */
  taskIds: string[];
  /** Text of the success toast. */
  done: TextKey;
  onRenewed?: () => void;
  onClose: () => void;
}

/**
 * Verifies a new portal password. The server's error that the user already monitors this account
 * counts as a success, because the sign-in worked.
 */
async function renew(login: Login, password: string): Promise<void> {
  try {
    const { username, countryCode, visaType } = login;
    const body = { username, password, country_code: countryCode, visa_type: visaType, force_refresh: true };
    await answer(client.POST('/schedules/verify-credentials', { body }));
  } catch (error) {
    const signedIn = hasCode(error, 'SCHEDULE_ALREADY_EXISTS') && (error.data as { owner?: string } | null)?.owner === 'self';
    if (!signedIn) throw error;
  }
}

/**
 * Renders the dialog for a portal account whose password the portal rejected. It does not restart
 * the task, because the user decides that.
 */
export function UpdatePasswordDialog({ login, shownAs, taskIds, done, onRenewed, onClose }: Props) {
  const { t } = useTranslation();
  const update = useMutation({
    mutationFn: (password: string) => renew(login, password),
    onSuccess: () => {
      toast.success(t(done) as string);
      for (const id of taskIds) void reloadTask(id);
      onRenewed?.();
      onClose();
    },
  });
  const failed = update.isError && !hasCode(update.error, STEP_UP_DECLINED);
  return (
    <PasswordDialog
      title={t('condition.updatePassword')}
      account={shownAs ?? login.username}
      failure={failed ? errorText(update.error, 'verify.check') : null}
      busy={update.isPending}
      onClose={onClose}
      onSubmit={(password) => update.mutate(password)}
    />
  );
}
