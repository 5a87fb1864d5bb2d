import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { answer, client } from '../../shared/api/client.ts';
import { ApiError } from '../../shared/api/errors.ts';
import { type StepUpDemand, settleStepUp } from '../../shared/api/stepUp.ts';
import { bareCode } from '../../shared/forms/schemas.ts';
import { useSubmission } from '../../shared/forms/useSubmission.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';

const text = (key: TextKey) => key;

const password = z.string().check(z.minLength(1, text('auth.passwordRequired')));
const schemas = {
  password: z.object({ password, code: z.string() }),
  withCode: z.object({
    password,
    code: z.string().check(z.refine((code) => bareCode(code) !== '', text('stepUp.codeRequired'))),
  }),
};

/** Values that the user enters to prove their identity. */
export type StepUpForm = z.infer<typeof schemas.password>;

const fieldErrors: Record<string, Partial<Record<string, [keyof StepUpForm, TextKey]>>> = {
  password: {
    required: ['password', 'auth.passwordRequired'],
    wrong: ['password', 'stepUp.wrongPassword'],
    not_set: ['password', 'stepUp.noPassword'],
  },
  totp_code: { required: ['code', 'stepUp.codeRequired'], wrong: ['code', 'stepUp.wrongCode'] },
};

/** Returns the server's validation errors, by field. */
function refusals(error: unknown): [keyof StepUpForm, TextKey][] {
  if (!(error instanceof ApiError) || error.code !== 'VALIDATION_FAILED') return [];
  const fields = Object.entries((error.data as { fields?: Record<string, string> } | null)?.fields ?? {});
  return fields.flatMap(([field, code]) => {
    const found = fieldErrors[field]?.[code];
    return found ? [found] : [];
  });
}

/**
 * Provides the form for a proof of identity. The code of the second factor is requested at once or
 * later, when the server requires it.
 */
export function useStepUpForm(demand: StepUpDemand) {
  const [codeToo, setCodeToo] = useState(demand.totp);
  const form = useForm<StepUpForm>({
    resolver: zodResolver(codeToo ? schemas.withCode : schemas.password),
    defaultValues: { password: '', code: '' },
  });
  const { submit, sending, error } = useSubmission(
    async ({ password: given, code }: StepUpForm) => {
      const body = codeToo ? { password: given, totp_code: bareCode(code) } : { password: given };
      await answer(client.POST('/auth/step-up', { body }));
      settleStepUp(true);
    },
    (refusal) => {
      const found = refusals(refusal);
      if (found.some(([field]) => field === 'code')) setCodeToo(true);
      for (const [field, message] of found) form.setError(field, { type: 'server', message });
      return found.length > 0;
    },
  );
  return { form, codeToo, send: form.handleSubmit(submit), sending, error };
}
