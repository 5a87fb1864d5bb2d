import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import type { Words } from '../../shared/i18n/words.ts';

const word = (key: Words) => key;

/** Not called `username` and `password`: those are what a browser keeps for our own sign-in. */
const portalSchema = z.object({
  portalUsername: z.string().check(z.trim(), z.minLength(1, word('portal.usernameMissing'))),
  portalPassword: z.string().check(z.minLength(1, word('portal.passwordMissing'))),
});

/** The login of the official site as it is typed. */
export type PortalForm = z.infer<typeof portalSchema>;

/** Kind of the mark at a field after the official site refused the login. */
const REJECTED = 'rejected';

/** The fields of step 1. The password stays in its field. */
export function usePortalForm(username: string) {
  const form = useForm<PortalForm>({
    resolver: zodResolver(portalSchema),
    defaultValues: { portalUsername: username, portalPassword: '' },
  });
  const { errors } = form.formState;
  return {
    form,
    /** Something was not filled in. */
    incomplete: Object.values(errors).some((error) => error?.type !== REJECTED),
    /** Marks both fields, because the site does not say which of them is wrong, and leads to the password. */
    markRejected: () => {
      form.setError('portalUsername', { type: REJECTED, message: word('portal.checkUsername') });
      form.setError('portalPassword', { type: REJECTED, message: word('portal.checkPassword') });
      form.setFocus('portalPassword', { shouldSelect: true });
    },
  };
}
