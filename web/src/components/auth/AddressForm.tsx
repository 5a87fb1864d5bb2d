import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { EmailForm } from '../../forms/schemas.ts';
import type { Words } from '../../i18n/words.ts';
import { paths } from '../../routes/paths.ts';
import { Field } from '../../ui/Field.tsx';
import { FormBox, FormLinks } from './FormBox.tsx';
import { Problem } from './Problem.tsx';

interface Props {
  asked: { form: UseFormReturn<EmailForm>; submit: () => void; sending: boolean; error: unknown };
  /** What to say when the server says nothing better. */
  fallback: Words;
  button: Words;
  /** A notice above the field. */
  children?: ReactNode;
}

/** One address, one button, and the way back: whoever asks for a mail. */
export function AddressForm({ asked: { form, submit, sending, error }, fallback, button, children }: Props) {
  const { t } = useTranslation();
  const problem = form.formState.errors.email?.message;
  return (
    <FormBox onSubmit={submit}>
      {children}
      <Problem error={error} fallback={fallback} />
      <Field
        label={t('auth.email')}
        type="email"
        autoComplete="username"
        disabled={sending}
        error={problem ? t(problem as Words) : undefined}
        {...form.register('email')}
      />
      <Button type="submit" fullWidth loading={sending} disabled={sending}>
        {t(button)}
      </Button>
      <FormLinks>
        <Link to={paths.login}>{t('auth.backToSignIn')}</Link>
      </FormLinks>
    </FormBox>
  );
}
