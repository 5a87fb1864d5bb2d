import type { ReactNode } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FormBox, FormLinks } from '../../parts/account/FormBox.tsx';
import { storePageMessage } from '../../shared/browser/pageMessage.ts';
import type { EmailForm } from '../../shared/forms/schemas.ts';
import { useNext } from '../../shared/hooks/useNext.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Link } from '../../shared/ui/Link.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';
import { TextField } from '../../shared/ui/TextField.tsx';

interface Props {
  asked: { form: UseFormReturn<EmailForm>; submit: () => void; sending: boolean; error: unknown };
  /** Text for an error whose code has no text. */
  fallback: TextKey;
  button: TextKey;
  /** Notice above the field. */
  children?: ReactNode;
}

/** Renders a form that requests a mail: one mail address, one button, and a link back. */
export function AddressForm({ asked: { form, submit, sending, error }, fallback, button, children }: Props) {
  const { t } = useTranslation();
  const next = useNext();
  const problem = form.formState.errors.email?.message;
  return (
    <FormBox onSubmit={submit}>
      {children}
      <Problem error={error} fallback={fallback} />
      <TextField
        label={t('auth.email')}
        type="email"
        autoComplete="username"
        disabled={sending}
        error={problem ? t(problem as TextKey) : undefined}
        {...form.register('email')}
      />
      <Button type="submit" wide loading={sending}>
        {t(button)}
      </Button>
      <FormLinks>
        <Link to={next(paths.login)} onClick={() => storePageMessage({ email: form.getValues('email').trim() })}>
          {t('auth.backToSignIn')}
        </Link>
      </FormLinks>
    </FormBox>
  );
}
