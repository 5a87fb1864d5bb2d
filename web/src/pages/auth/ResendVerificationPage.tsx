import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { AuthCard } from '../../components/auth/AuthCard.tsx';
import { FormBox, FormLinks } from '../../components/auth/FormBox.tsx';
import { Problem } from '../../components/auth/Problem.tsx';
import { useResendForm } from '../../forms/useResendForm.ts';
import type { Words } from '../../i18n/words.ts';
import { paths } from '../../routes/paths.ts';
import { Field } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';

/** Sends the verification mail once more; the answer is the same whether the address is known or not. */
export function ResendVerificationPage() {
  const { t } = useTranslation();
  const from = useLocation().state as { email?: string } | null;
  const { form, submit, sending, done, error } = useResendForm(from?.email ?? '');
  const problem = form.formState.errors.email?.message;
  return (
    <AuthCard title={t('auth.resendTitle')} lead={t('auth.resendLead')}>
      <FormBox onSubmit={submit}>
        {done && (
          <Notice tone="ok" live="status">
            {t('auth.resendDone')}
          </Notice>
        )}
        <Problem error={error} fallback="auth.resendFailed" />
        <Field
          label={t('auth.email')}
          type="email"
          autoComplete="username"
          disabled={sending}
          error={problem ? t(problem as Words) : undefined}
          {...form.register('email')}
        />
        <Button type="submit" fullWidth loading={sending} disabled={sending}>
          {t('auth.resendButton')}
        </Button>
        <FormLinks>
          <Link to={paths.login}>{t('auth.backToSignIn')}</Link>
        </FormLinks>
      </FormBox>
    </AuthCard>
  );
}
