import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { CodeForm } from '../../shared/forms/schemas.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { TextField } from '../../shared/ui/TextField.tsx';

interface Props {
  form: UseFormReturn<CodeForm>;
  /** True for a recovery code, false for a code of the authenticator app. */
  recovery: boolean;
  disabled: boolean;
}

/** Renders the field for a code of the second factor. */
export function CodeField({ form, recovery, disabled }: Props) {
  const { t } = useTranslation();
  const problem = form.formState.errors.code?.message;
  return (
    <TextField
      key={recovery ? 'recovery' : 'app'}
      code
      label={t(recovery ? 'auth.totpRecovery' : 'auth.totpCode')}
      autoComplete={recovery ? 'off' : 'one-time-code'}
      inputMode={recovery ? 'text' : 'numeric'}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={32}
      autoFocus
      disabled={disabled}
      error={problem ? t(problem as TextKey) : undefined}
      {...form.register('code')}
    />
  );
}
