import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { Words } from '../../shared/i18n/words.ts';
import { Field } from '../../shared/legacy/Field.tsx';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { Problem } from '../../shared/legacy/Problem.tsx';
import { useChangeEmailForm } from './useChangeEmailForm.ts';

/** Asks for a new address and says that the link there decides. */
export function EmailDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { form, submit, sending, error, sentTo } = useChangeEmailForm(email);
  const problem = form.formState.errors.email?.message;
  return (
    <Dialog open onClose={sending ? undefined : onClose} maxWidth="xs" fullWidth aria-labelledby="email-title">
      <form noValidate onSubmit={(event) => void submit(event)}>
        <DialogTitle id="email-title">{t('account.changeEmail')}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 2 }}>
          {sentTo ? (
            <Notice tone="ok" live="status" title={t('account.linkSent')}>
              {t('account.linkSentText', { email: sentTo })}
            </Notice>
          ) : (
            <>
              <Typography variant="body2" color="textSecondary">
                {t('account.changeEmailText', { email })}
              </Typography>
              <Problem error={error} fallback="account.emailFailed" />
              <Field
                label={t('account.newEmail')}
                type="email"
                autoComplete="email"
                inputProps={{ inputMode: 'email', autoCapitalize: 'none', spellCheck: false }}
                autoFocus
                disabled={sending}
                error={problem && t(problem as Words)}
                {...form.register('email')}
              />
            </>
          )}
        </DialogContent>
        <DialogActions>
          {sentTo ? (
            <Button autoFocus onClick={onClose}>
              {t('settings.close')}
            </Button>
          ) : (
            <>
              <Button variant="ghost" disabled={sending} onClick={onClose}>
                {t('settings.cancel')}
              </Button>
              <Button type="submit" loading={sending}>
                {t('account.sendLink')}
              </Button>
            </>
          )}
        </DialogActions>
      </form>
    </Dialog>
  );
}
