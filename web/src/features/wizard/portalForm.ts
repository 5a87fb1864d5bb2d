import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import type { TextKey } from '../../shared/i18n/textKey.ts';

const text = (key: TextKey) => key;

/**
 * The names are not `username` and `password`, because browsers fill those with the user's
 * credentials for our own site.
 */
const portalSchema = z.object({
  portalUsername: z.string().check(z.trim(), z.minLength(1, text('portal.usernameMissing'))),
  portalPassword: z.string().check(z.minLength(1, text('portal.passwordMissing'))),
});

/** Credentials for the portal that the user typed. */
export type PortalForm = z.infer<typeof portalSchema>;

/** Kind of error of a field after the portal refused the credentials. */
const REJECTED = 'rejected';

/** Provides the form of step 1. The password is stored only in its field. */
export function usePortalForm(username: string) {
  const form = useForm<PortalForm>({
    resolver: zodResolver(portalSchema),
    defaultValues: { portalUsername: username, portalPassword: '' },
  });
  const { errors } = form.formState;
  return {
    form,
    /** True if a field is empty. */
    incomplete: Object.values(errors).some((error) => error?.type !== REJECTED),
    /**
     * Marks both fields, because the portal does not report which one is wrong, and focuses the
     * password.
     */
    markRejected: () => {
      form.setError('portalUsername', { type: REJECTED, message: text('portal.checkUsername') });
      form.setError('portalPassword', { type: REJECTED, message: text('portal.checkPassword') });
      form.setFocus('portalPassword', { shouldSelect: true });
    },
  };
}
