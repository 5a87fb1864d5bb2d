import { Shield } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { CodeField } from '../../parts/account/CodeField.tsx';
import { FormBox, FormLinks } from '../../parts/account/FormBox.tsx';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';
import { loginErrorText } from './errorText.ts';
import styles from './steps.module.css';
import type { useLoginForm } from './useLoginForm.ts';

/**
 * Renders the second step of a sign-in: six digits of the authenticator app, or a recovery code.
 */
export function CodeStep({ login }: { login: ReturnType<typeof useLoginForm> }) {
  const { t } = useTranslation();
  const { codeForm, recovery, submitCode, swapCode, startOver, sending, done, error, busy, form } = login;
  return (
    <FormBox onSubmit={submitCode}>
      <Alert tone="quiet" icon={Shield}>
        {form.getValues('username')}
      </Alert>
      <CodeField form={codeForm} recovery={recovery} disabled={busy} />
      {done && (
        <Alert tone="ok" live="status">
          {t('auth.loginDone')}
        </Alert>
      )}
      <Problem error={error} fallback="auth.loginFailed" texts={loginErrorText} />
      <Button type="submit" wide loading={sending} disabled={busy}>
        {t('auth.totpButton')}
      </Button>
      <FormLinks hidden={busy}>
        <Button variant="text" size="small" onClick={swapCode} className={styles.link}>
          {t(recovery ? 'auth.totpUseApp' : 'auth.totpUseRecovery')}
        </Button>
        <Button variant="text" size="small" onClick={startOver} className={styles.link}>
          {t('auth.totpOther')}
        </Button>
      </FormLinks>
    </FormBox>
  );
}
