import { zodResolver } from '@hookform/resolvers/zod';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { api } from '../../api/calls.ts';
import { AuthCard } from '../../components/auth/AuthCard.tsx';
import { type EmailForm, emailSchema } from '../../forms/schemas.ts';
import type { Words } from '../../i18n/words.ts';
import { errorWords } from '../../lib/errorWords.ts';
import { paths } from '../../routes/paths.ts';
import { Field } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';

/** Sends the confirmation mail once more; the answer is the same whether the address is known or not. */
export function ResendVerificationPage() {
  const { t } = useTranslation();
  const form = useForm<EmailForm>({ resolver: zodResolver(emailSchema), mode: 'onTouched', defaultValues: { email: '' } });
  const resend = useMutation({ mutationFn: (values: EmailForm) => api.resendVerification(values.email) });
  const problem = form.formState.errors.email?.message;
  return (
    <AuthCard title={t('auth.resendTitle')} lead={t('auth.resendLead')}>
      <Box
        component="form"
        noValidate
        onSubmit={form.handleSubmit((values) => resend.mutate(values))}
        sx={{ display: 'grid', gap: 2 }}
      >
        {resend.isSuccess && (
          <Notice tone="ok" live="status">
            {t('auth.resendDone')}
          </Notice>
        )}
        {resend.isError && <Notice tone="error">{t(errorWords(resend.error, 'auth.resendFailed'))}</Notice>}
        <Field
          label={t('auth.email')}
          type="email"
          autoComplete="email"
          error={problem ? t(problem as Words) : undefined}
          {...form.register('email')}
        />
        <Button type="submit" fullWidth loading={resend.isPending}>
          {t('auth.resendButton')}
        </Button>
        <Box sx={{ fontSize: 14 }}>
          <Link to={paths.login}>{t('auth.backToSignIn')}</Link>
        </Box>
      </Box>
    </AuthCard>
  );
}
