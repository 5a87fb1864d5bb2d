import { useState } from 'react';
import { answer, client } from '../../shared/api/client.ts';
import { ApiError } from '../../shared/api/errors.ts';
import { answerStepUp, type Demand } from '../../shared/api/stepUp.ts';
import { bareCode } from '../../shared/forms/schemas.ts';
import { useSubmission } from '../../shared/forms/useSubmission.ts';
import type { Words } from '../../shared/i18n/words.ts';

interface Typed {
  password: string;
  code: string;
}
type Problems = Partial<Record<keyof Typed, Words>>;

const told: Record<string, Partial<Record<string, [keyof Typed, Words]>>> = {
  password: {
    required: ['password', 'auth.passwordRequired'],
    wrong: ['password', 'stepUp.wrongPassword'],
    not_set: ['password', 'stepUp.noPassword'],
  },
  totp_code: { required: ['code', 'stepUp.codeRequired'], wrong: ['code', 'stepUp.wrongCode'] },
};

function problemsOf(error: unknown): Problems {
  if (!(error instanceof ApiError) || error.code !== 'VALIDATION_FAILED') return {};
  const fields = Object.entries((error.data as { fields?: Record<string, string> } | null)?.fields ?? {});
  return Object.fromEntries(fields.flatMap(([field, code]) => [told[field]?.[code] ?? []].filter((pair) => pair.length > 0)));
}

/** Proving again who one is, without its looks. The code is asked for where the server says so, or says so late. */
export function useStepUpForm(demand: Demand) {
  const [typed, setTyped] = useState<Typed>({ password: '', code: '' });
  const [problems, setProblems] = useState<Problems>({});
  const [codeToo, setCodeToo] = useState(demand.totp);
  const { submit, sending, error } = useSubmission(
    async ({ password, code }: Typed) => {
      const body = codeToo ? { password, totp_code: bareCode(code) } : { password };
      await answer(client.POST('/auth/step-up', { body }));
      answerStepUp(true);
    },
    (refusal) => {
      const found = problemsOf(refusal);
      if (found.code) setCodeToo(true);
      setProblems(found);
      return Object.keys(found).length > 0;
    },
  );
  const type = (field: keyof Typed) => (text: string) => {
    setTyped((before) => ({ ...before, [field]: text }));
    setProblems((before) => ({ ...before, [field]: undefined }));
  };
  const send = () => {
    const missing: Problems = {};
    if (!typed.password) missing.password = 'auth.passwordRequired';
    if (codeToo && !bareCode(typed.code)) missing.code = 'stepUp.codeRequired';
    setProblems(missing);
    if (Object.keys(missing).length === 0) void submit(typed);
    return missing;
  };
  return { typed, type, problems, codeToo, send, sending, error };
}
