import { useTranslation } from 'react-i18next';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { TextField } from '../../shared/ui/TextField.tsx';
import { FormDialog } from './FormDialog.tsx';
import { useChangeEmailForm } from './useChangeEmailForm.ts';

/**
 * Renders the dialog that asks for a new mail address. The address changes when the user opens the
 * mailed link.
 */
export function EmailDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { form, submit, sending, error, sentTo } = useChangeEmailForm(email);
  const problem = form.formState.errors.email?.message;
  return (
    <FormDialog
      title={t('account.changeEmail')}
      send={t('account.sendLink')}
      sending={sending}
      error={error}
      fallback="account.emailFailed"
      onSubmit={submit}
      onClose={onClose}
      done={
        sentTo && (
          <Alert tone="ok" live="status" title={t('account.linkSent')}>
            {t('account.linkSentText', { email: sentTo })}
          </Alert>
        )
      }
      lead={
        <Text variant="small" color="secondary">
          {t('account.changeEmailText', { email })}
        </Text>
      }
    >
      <TextField
        label={t('account.newEmail')}
        type="email"
        autoComplete="email"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        disabled={sending}
        error={problem && t(problem as TextKey)}
        {...form.register('email')}
      />
    </FormDialog>
  );
}
