import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { FormBox, FormLinks } from '../../parts/account/FormBox.tsx';
import { loginErrorWords } from '../../shared/format/errorWords.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { Field } from '../../shared/legacy/Field.tsx';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { Problem } from '../../shared/legacy/Problem.tsx';
import type { useLoginForm } from './useLoginForm.ts';

/** The second step of a sign-in: six digits of the authenticator app, or a recovery code. */
export function CodeStep({ login }: { login: ReturnType<typeof useLoginForm> }) {
  const { t } = useTranslation();
  const { codeForm, recovery, submitCode, swapCode, startOver, sending, done, error, busy, form } = login;
  const problem = codeForm.formState.errors.code?.message;
  return (
    <FormBox onSubmit={submitCode}>
      <Notice tone="quiet" icon="shield">
        {form.getValues('username')}
      </Notice>
      <Field
        key={recovery ? 'recovery' : 'app'}
        label={t(recovery ? 'auth.totpRecovery' : 'auth.totpCode')}
        autoComplete={recovery ? 'off' : 'one-time-code'}
        inputProps={{
          inputMode: recovery ? 'text' : 'numeric',
          autoCapitalize: 'none',
          spellCheck: false,
          maxLength: 16,
        }}
        autoFocus
        disabled={busy}
        error={problem ? t(problem as Words) : undefined}
        sx={{ '& input': { fontSize: 20, letterSpacing: '.12em', fontVariantNumeric: 'tabular-nums' } }}
        {...codeForm.register('code')}
      />
      {done && (
        <Notice tone="ok" live="status">
          {t('auth.loginDone')}
        </Notice>
      )}
      <Problem error={error} fallback="auth.loginFailed" words={loginErrorWords} />
      <Button type="submit" fullWidth loading={sending} disabled={busy}>
        {t('auth.totpButton')}
      </Button>
      <FormLinks hidden={busy}>
        <Button variant="text" size="small" onClick={swapCode} sx={{ px: 0 }}>
          {t(recovery ? 'auth.totpUseApp' : 'auth.totpUseRecovery')}
        </Button>
        <Button variant="text" size="small" onClick={startOver} sx={{ px: 0 }}>
          {t('auth.totpOther')}
        </Button>
      </FormLinks>
    </FormBox>
  );
}
