import { useTranslation } from 'react-i18next';
import { StrengthMeter } from '../../parts/account/StrengthMeter.tsx';
import { queryClient } from '../../shared/api/queries.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { PasswordField } from '../../shared/ui/PasswordField.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import { FormDialog } from './FormDialog.tsx';
import { useChangePasswordForm } from './useChangePasswordForm.ts';

interface Props {
  email: string;
  hasPassword: boolean;
  onClose: () => void;
}

/**
 * Renders the dialog that changes the password, or sets the first password of a user who signed up
 * with Google.
 */
export function PasswordDialog({ email, hasPassword, onClose }: Props) {
  const { t } = useTranslation();
  const { form, submit, password, sending, error } = useChangePasswordForm({
    hasPassword,
    onDone: () => {
      toast.success(t('account.passwordDone'));
      for (const name of ['profile', 'signIns']) void queryClient.invalidateQueries({ queryKey: [name] });
      onClose();
    },
  });
  const { errors } = form.formState;
  const message = (key: string | undefined) => (key ? t(key as TextKey) : undefined);
  const title = t(hasPassword ? 'account.changePassword' : 'account.setPassword');
  return (
    <FormDialog
      title={title}
      send={title}
      sending={sending}
      error={error}
      fallback="account.passwordFailed"
      onSubmit={submit}
      onClose={onClose}
      lead={<input type="text" name="username" autoComplete="username" value={email} readOnly hidden />}
    >
      {hasPassword && (
        <PasswordField
          label={t('account.currentPassword')}
          autoComplete="current-password"
          disabled={sending}
          error={message(errors.current_password?.message)}
          {...form.register('current_password')}
        />
      )}
      <PasswordField
        label={t('auth.newPassword')}
        autoComplete="new-password"
        disabled={sending}
        error={message(errors.new_password?.message)}
        after={<StrengthMeter password={password} email={email} refused={errors.new_password !== undefined} />}
        {...form.register('new_password')}
      />
      <PasswordField
        label={t('auth.confirmNewPassword')}
        autoComplete="new-password"
        disabled={sending}
        error={message(errors.confirmPassword?.message)}
        {...form.register('confirmPassword')}
      />
    </FormDialog>
  );
}
