import { zodResolver } from '@hookform/resolvers/zod';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { api } from '../../api/calls.ts';
import { type RegisterForm, registerSchema } from '../../forms/schemas.ts';
import { useLanguage } from '../../i18n/useLanguage.ts';
import type { Words } from '../../i18n/words.ts';
import { errorWords } from '../../lib/errorWords.ts';
import { paths } from '../../routes/paths.ts';
import { Field } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { StrengthMeter } from './StrengthMeter.tsx';

/** The registration form, used by its page and by the landing; `onDone` gets the address that must be confirmed. */
export function RegisterFields({ onDone }: { onDone: (email: string) => void }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const form = useForm<RegisterForm>({
    resolver: zodResolver(registerSchema),
    mode: 'onTouched',
    defaultValues: { email: '', password: '', confirmPassword: '' },
  });
  const password = useWatch({ control: form.control, name: 'password' });
  const register = useMutation({
    mutationFn: (values: RegisterForm) =>
      api.register({ username: values.email, email: values.email, password: values.password, language }),
    onSuccess: (_, values) => onDone(values.email),
  });
  const { errors } = form.formState;
  const message = (key: string | undefined) => (key ? t(key as Words) : undefined);
  const busy = register.isPending || register.isSuccess;
  return (
    <Box
      component="form"
      noValidate
      onSubmit={form.handleSubmit((values) => register.mutate(values))}
      sx={{ display: 'grid', gap: 2 }}
    >
      {register.isSuccess && (
        <Notice tone="ok" live="status" title={t('auth.registered')}>
          {t('auth.registeredText', { email: form.getValues('email') })}
        </Notice>
      )}
      {register.isError && <Notice tone="error">{t(errorWords(register.error, 'auth.registerFailed'))}</Notice>}
      <Field
        label={t('auth.email')}
        type="email"
        autoComplete="email"
        disabled={busy}
        hint={t('auth.emailIsUsername')}
        error={message(errors.email?.message)}
        {...form.register('email')}
      />
      <PasswordField
        label={t('auth.password')}
        autoComplete="new-password"
        disabled={busy}
        error={message(errors.password?.message)}
        after={<StrengthMeter password={password} />}
        {...form.register('password')}
      />
      <PasswordField
        label={t('auth.confirmPassword')}
        autoComplete="new-password"
        disabled={busy}
        error={message(errors.confirmPassword?.message)}
        {...form.register('confirmPassword')}
      />
      <Button type="submit" fullWidth loading={register.isPending} disabled={busy}>
        {t('auth.registerButton')}
      </Button>
      <Box sx={{ fontSize: 14, color: 'text.secondary' }}>
        {t('auth.haveAccount')} <Link to={paths.login}>{t('auth.signInHere')}</Link>
      </Box>
    </Box>
  );
}
