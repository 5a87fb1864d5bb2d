import { zodResolver } from '@hookform/resolvers/zod';
import { type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { appCodeSchema, bareCode, type CodeForm as CodeInput, recoveryCodeSchema } from '../../shared/forms/schemas.ts';
import { useSubmission } from '../../shared/forms/useSubmission.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';
import { CodeField } from './CodeField.tsx';
import { FormBox, FormLinks } from './FormBox.tsx';

/**
 * Renders the form for a code of the second factor, after a sign-in without a password. `children`
 * is a link below the form.
 */
export function CodeForm({ send, children }: { send: (code: string) => Promise<void>; children: ReactNode }) {
  const { t } = useTranslation();
  const [recovery, setRecovery] = useState(false);
  const form = useForm<CodeInput>({
    resolver: zodResolver(recovery ? recoveryCodeSchema : appCodeSchema),
    defaultValues: { code: '' },
  });
  const { submit, sending, error, clear } = useSubmission(({ code }: CodeInput) => send(bareCode(code)));
  const swap = () => {
    form.reset();
    clear();
    setRecovery(!recovery);
  };
  return (
    <FormBox onSubmit={form.handleSubmit(submit)}>
      <CodeField form={form} recovery={recovery} disabled={sending} />
      <Problem error={error} fallback="auth.loginFailed" />
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
  );
}
