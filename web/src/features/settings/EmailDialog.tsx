import { useTranslation } from 'react-i18next';
import type { Words } from '../../shared/i18n/words.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Dialog } from '../../shared/ui/Dialog.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { TextField } from '../../shared/ui/TextField.tsx';
import { useChangeEmailForm } from './useChangeEmailForm.ts';

/** Asks for a new address and says that the link there decides. */
export function EmailDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { form, submit, sending, error, sentTo } = useChangeEmailForm(email);
  const problem = form.formState.errors.email?.message;
  const actions = sentTo ? (
    <Button onClick={onClose}>{t('settings.close')}</Button>
  ) : (
    <>
      <Button variant="ghost" disabled={sending} onClick={onClose}>
        {t('settings.cancel')}
      </Button>
      <Button type="submit" loading={sending}>
        {t('account.sendLink')}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onClose={onClose}
      locked={sending}
      title={t('account.changeEmail')}
      onSubmit={(event) => void submit(event)}
      actions={actions}
    >
      {sentTo ? (
        <Alert tone="ok" live="status" title={t('account.linkSent')}>
          {t('account.linkSentText', { email: sentTo })}
        </Alert>
      ) : (
        <Stack>
          <Text variant="small" color="secondary">
            {t('account.changeEmailText', { email })}
          </Text>
          <Problem error={error} fallback="account.emailFailed" />
          <TextField
            label={t('account.newEmail')}
            type="email"
            autoComplete="email"
            inputMode="email"
            autoCapitalize="none"
            spellCheck={false}
            disabled={sending}
            error={problem && t(problem as Words)}
            {...form.register('email')}
          />
        </Stack>
      )}
    </Dialog>
  );
}
