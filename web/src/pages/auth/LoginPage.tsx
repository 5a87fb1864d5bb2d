import { zodResolver } from '@hookform/resolvers/zod';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { useMutation } from '@tanstack/react-query';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { api } from '../../api/calls.ts';
import { ApiError } from '../../api/errors.ts';
import { acceptLogin } from '../../api/session.ts';
import { AuthCard } from '../../components/auth/AuthCard.tsx';
import { type LoginForm, loginSchema } from '../../forms/schemas.ts';
import type { Words } from '../../i18n/words.ts';
import { loginErrorWords } from '../../lib/errorWords.ts';
import { paths } from '../../routes/paths.ts';
import { Field } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';

const REDIRECT_MS = 1_500;

async function signIn(form: LoginForm) {
  const answer = await api.login(form);
  if (!answer?.access_token || !answer.user) throw new ApiError('RESPONSE_FORMAT_ERROR', 'Unexpected response format', 200);
  return answer;
}

/** /auth/login: on success the session starts after 1.5 s, and the guard leads to where the person came from. */
export function LoginPage() {
  const { t } = useTranslation();
  const location = useLocation();
  const state = location.state as { registered?: string; verified?: boolean } | null;
  const form = useForm<LoginForm>({
    resolver: zodResolver(loginSchema),
    mode: 'onTouched',
    defaultValues: { username: state?.registered ?? '', password: '', rememberMe: false },
  });
  const login = useMutation({
    mutationFn: signIn,
    onSuccess: (answer, values) => setTimeout(() => acceptLogin(answer, values.rememberMe), REDIRECT_MS),
  });
  const { errors, isValid } = form.formState;
  const message = (key: string | undefined) => (key ? t(key as Words) : undefined);
  const busy = login.isPending || login.isSuccess;
  const problem = login.isError ? loginErrorWords(login.error) : null;
  return (
    <AuthCard title={t('auth.signIn')} lead={t('auth.loginLead')}>
      <Box
        component="form"
        noValidate
        onSubmit={form.handleSubmit((values) => login.mutate(values))}
        sx={{ display: 'grid', gap: 2 }}
      >
        {state?.registered && !login.isSuccess && (
          <Notice tone="info" icon="mail" title={t('auth.checkMail')}>
            {t('auth.checkMailText', { email: state.registered })} <Link to={paths.resend}>{t('auth.resendLink')}</Link>
          </Notice>
        )}
        {login.isSuccess && (
          <Notice tone="ok" live="status">
            {t('auth.loginDone')}
          </Notice>
        )}
        {problem && (
          <Notice tone="error">
            {t(problem)} {problem === 'auth.notVerified' && <Link to={paths.resend}>{t('auth.resendLink')}</Link>}
          </Notice>
        )}
        <Field
          label={t('auth.email')}
          type="email"
          autoComplete="username"
          disabled={busy}
          error={message(errors.username?.message)}
          {...form.register('username')}
        />
        <PasswordField
          label={t('auth.password')}
          autoComplete="current-password"
          disabled={busy}
          error={message(errors.password?.message)}
          {...form.register('password')}
        />
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
        <Button type="submit" fullWidth loading={login.isPending} disabled={busy || !isValid}>
          {t('auth.signInButton')}
        </Button>
        <Box
          sx={{
            fontSize: 14,
            color: 'text.secondary',
            display: 'flex',
            flexWrap: 'wrap',
            gap: '4px 16px',
            justifyContent: 'space-between',
          }}
        >
          <span>
            {t('auth.noAccount')} <Link to={paths.register}>{t('auth.registerHere')}</Link>
          </span>
          <Link to={paths.resend}>{t('auth.resendTitle')}</Link>
        </Box>
      </Box>
    </AuthCard>
  );
}
