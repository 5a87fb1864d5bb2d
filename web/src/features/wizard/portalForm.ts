import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import type { TextKey } from '../../shared/i18n/textKey.ts';

const text = (key: TextKey) => key;

/** Not called `username` and `password`, because browsers store those for our own sign-in. */
const portalSchema = z.object({
  portalUsername: z.string().check(z.trim(), z.minLength(1, text('portal.usernameMissing'))),
  portalPassword: z.string().check(z.minLength(1, text('portal.passwordMissing'))),
});

/** The typed login of the official site. */
export type PortalForm = z.infer<typeof portalSchema>;

/** Error kind of a field after the official site refused the login. */
const REJECTED = 'rejected';

/** Handles the fields of step 1. The password stays in its field. */
export function usePortalForm(username: string) {
  const form = useForm<PortalForm>({
    resolver: zodResolver(portalSchema),
    defaultValues: { portalUsername: username, portalPassword: '' },
  });
  const { errors } = form.formState;
  return {
    form,
    /** A field is empty. */
    incomplete: Object.values(errors).some((error) => error?.type !== REJECTED),
    /**
     * Marks both fields, because the site does not report which one is wrong, and focuses the
     * password.
     */
    markRejected: () => {
      form.setError('portalUsername', { type: REJECTED, message: text('portal.checkUsername') });
      form.setError('portalPassword', { type: REJECTED, message: text('portal.checkPassword') });
      form.setFocus('portalPassword', { shouldSelect: true });
    },
  };
}
