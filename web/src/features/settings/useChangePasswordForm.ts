import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { answer, client } from '../../shared/api/client.ts';
import { hasCode, STEP_UP_DECLINED } from '../../shared/api/errors.ts';
import { complaints, showFieldErrors } from '../../shared/forms/fieldErrors.ts';
import { registerSchema } from '../../shared/forms/schemas.ts';
import { useSubmission } from '../../shared/forms/useSubmission.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';

const text = (key: TextKey) => key;
const { password: newPassword, confirmPassword } = registerSchema.shape;

const schema = (hasPassword: boolean) =>
  z
    .object({
      current_password: hasPassword ? z.string().check(z.minLength(1, text('account.currentRequired'))) : z.string(),
      new_password: newPassword,
      confirmPassword,
    })
    .check(
      z.refine((form) => !hasPassword || form.new_password === '' || form.new_password !== form.current_password, {
        path: ['new_password'],
        message: text('account.passwordSame'),
      }),
      z.refine((form) => form.confirmPassword === '' || form.confirmPassword === form.new_password, {
        path: ['confirmPassword'],
        message: text('auth.confirmMismatch'),
        when: () => true,
      }),
    );

type ChangePasswordForm = z.infer<ReturnType<typeof schema>>;

const texts = {
  current_password: { required: 'account.currentRequired', wrong: 'account.currentWrong' },
  new_password: complaints.password ?? {},
} satisfies Record<string, Partial<Record<string, TextKey>>>;

/**
 * Provides the form that changes the password, with the rules of a registration. Users without a
 * password need not enter a present one.
 */
export function useChangePasswordForm({ hasPassword, onDone }: { hasPassword: boolean; onDone: () => void }) {
  const form = useForm<ChangePasswordForm>({
    resolver: zodResolver(schema(hasPassword)),
    mode: 'onTouched',
    defaultValues: { current_password: '', new_password: '', confirmPassword: '' },
  });
  const { submit, sending, error } = useSubmission(
    async ({ current_password, new_password }: ChangePasswordForm) => {
      const body = hasPassword ? { current_password, new_password } : { new_password };
      await answer(client.POST('/auth/change-password', { body }));
      onDone();
    },
    (refusal) =>
      hasCode(refusal, STEP_UP_DECLINED) || showFieldErrors(refusal, form.setError, ['current_password', 'new_password'], texts),
  );
  const password = useWatch({ control: form.control, name: 'new_password' });
  return { form, submit: form.handleSubmit(submit), password, sending, error };
}
