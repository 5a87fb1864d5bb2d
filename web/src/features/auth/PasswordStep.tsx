import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import type { ReactNode } from 'react';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { FormBox, FormLinks } from '../../parts/account/FormBox.tsx';
import { GoogleButton } from '../../parts/account/GoogleButton.tsx';
import { loginErrorWords } from '../../shared/format/errorWords.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { Field } from '../../shared/legacy/Field.tsx';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { PasswordField } from '../../shared/legacy/PasswordField.tsx';
import { Problem } from '../../shared/legacy/Problem.tsx';
import { paths } from '../../shared/routing/paths.ts';
import type { useLoginForm } from './useLoginForm.ts';

/** The first step of a sign-in: Google, or e-mail and password. */
export function PasswordStep({ login, notice }: { login: ReturnType<typeof useLoginForm>; notice: ReactNode }) {
  const { t } = useTranslation();
  const { form, submit, sending, done, error, busy } = login;
  const { errors, isValid } = form.formState;
  const message = (key: string | undefined) => (key ? t(key as Words) : undefined);
  const unproven = error !== null && loginErrorWords(error) === 'auth.notVerified';
  return (
    <>
      {notice && <Box sx={{ mb: 2 }}>{notice}</Box>}
      <GoogleButton disabled={busy} rememberMe={() => form.getValues('rememberMe')} />
      <FormBox onSubmit={submit}>
        <Field
          label={t('auth.email')}
          type="email"
          autoComplete="username"
          disabled={busy}
          error={message(errors.username?.message)}
          {...form.register('username')}
        />
        <Box sx={{ position: 'relative' }}>
          <PasswordField
            label={t('auth.password')}
            autoComplete="current-password"
            disabled={busy}
            error={message(errors.password?.message)}
            {...form.register('password')}
          />
          {/* Beside the label to the eye, after the field to the keyboard. */}
          <Box component={Link} to={paths.forgot} sx={{ position: 'absolute', top: 0, right: 0, fontSize: 14, lineHeight: 1.5 }}>
            {t('auth.forgotLink')}
          </Box>
        </Box>
        <Controller
          control={form.control}
          name="rememberMe"
          render={({ field }) => (
            <FormControlLabel
              control={
                <Checkbox
                  checked={field.value}
                  onChange={(event) => field.onChange(event.target.checked)}
                  onBlur={field.onBlur}
                  disabled={busy}
                />
              }
              label={t('auth.rememberMe')}
              slotProps={{ typography: { variant: 'body2' } }}
              sx={{ my: -0.75 }}
            />
          )}
        />
        {done && (
          <Notice tone="ok" live="status">
            {t('auth.loginDone')}
          </Notice>
        )}
        <Problem error={error} fallback="auth.loginFailed" words={loginErrorWords}>
          {unproven && (
            <Link to={paths.resend} state={{ email: form.getValues('username') }}>
              {t('auth.resendLink')}
            </Link>
          )}
        </Problem>
        <Button type="submit" fullWidth loading={sending} disabled={busy || !isValid}>
          {t('auth.signInButton')}
        </Button>
        <FormLinks>
          <span>
            {t('auth.noAccount')} <Link to={paths.register}>{t('auth.registerHere')}</Link>
          </span>
          <Link to={paths.resend}>{t('auth.resendTitle')}</Link>
        </FormLinks>
      </FormBox>
    </>
  );
}
