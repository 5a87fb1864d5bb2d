import { zodResolver } from '@hookform/resolvers/zod';
import { type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FormBox, FormLinks } from '../../parts/account/FormBox.tsx';
import { appCodeSchema, bareCode, type CodeForm, recoveryCodeSchema } from '../../shared/forms/schemas.ts';
import { useSubmission } from '../../shared/forms/useSubmission.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';
import { AuthCard } from './AuthCard.tsx';
import { CodeField } from './CodeField.tsx';
import { loginErrorText } from './errorText.ts';

/**
 * Renders the field for a code of the second factor, after a sign-in with Google. `children` is a
 * link below the form.
 */
export function GoogleCode({ send, children }: { send: (code: string) => Promise<void>; children: ReactNode }) {
  const { t } = useTranslation();
  const [recovery, setRecovery] = useState(false);
  const form = useForm<CodeForm>({
    resolver: zodResolver(recovery ? recoveryCodeSchema : appCodeSchema),
    defaultValues: { code: '' },
  });
  const { submit, sending, error, clear } = useSubmission(({ code }: CodeForm) => send(bareCode(code)));
  const swap = () => {
    form.reset();
    clear();
    setRecovery(!recovery);
  };
  return (
    <AuthCard title={t('auth.totpTitle')} arrived>
      <FormBox onSubmit={form.handleSubmit(submit)}>
        <CodeField form={form} recovery={recovery} disabled={sending} />
        <Problem error={error} fallback="auth.loginFailed" texts={loginErrorText} />
        <Button type="submit" wide loading={sending}>
          {t('auth.totpButton')}
        </Button>
        <FormLinks hidden={sending}>
          <Button variant="text" size="small" onClick={swap}>
            {t(recovery ? 'auth.totpUseApp' : 'auth.totpUseRecovery')}
          </Button>
          {children}
        </FormLinks>
      </FormBox>
    </AuthCard>
  );
}
