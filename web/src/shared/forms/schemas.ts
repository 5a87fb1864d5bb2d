import * as z from 'zod/mini';
import type { TextKey } from '../i18n/textKey.ts';
import { hasClasses, LONGEST, lengthOf, REGISTER_CLASSES, RESET_CLASSES, SHORTEST } from './passwordStrength.ts';

const word = (key: TextKey) => key;

const email = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, word('auth.emailRequired')),
    z.regex(/^$|^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/, word('auth.emailInvalid')),
  );

const longEnough = (text: string) => text.length === 0 || lengthOf(text) >= SHORTEST;

/** Schema of a new password. It reports one problem at a time, the length first. */
const newPassword = (wanted: typeof REGISTER_CLASSES, complaint: TextKey) =>
  z.string().check(
    z.minLength(1, word('auth.passwordRequired')),
    z.refine(longEnough, word('auth.passwordShort')),
    z.refine((text) => lengthOf(text) <= LONGEST, word('auth.passwordLong')),
    z.refine((text) => lengthOf(text) < SHORTEST || lengthOf(text) > LONGEST || hasClasses(text, wanted), complaint),
  );

const confirmPassword = z.string().check(z.minLength(1, word('auth.confirmRequired')));

/** Requires two equal passwords. The check runs once the user has typed the second one. */
const matching = z.refine<{ password: string; confirmPassword: string }>(
  (form) => form.confirmPassword.length === 0 || form.confirmPassword === form.password,
  { path: ['confirmPassword'], message: word('auth.confirmMismatch'), when: () => true },
);

/** Schema of the registration form. The messages are keys of the locale files. */
export const registerSchema = z
  .object({ email, password: newPassword(REGISTER_CLASSES, 'auth.passwordClasses'), confirmPassword })
  .check(matching);

/** Schema of a new password set by a mailed link. It needs no special character. */
export const resetSchema = z
  .object({ password: newPassword(RESET_CLASSES, 'auth.resetClasses'), confirmPassword })
  .check(matching);

/** Schema of the password of an invited account. Its mail address is already known. */
export const passwordSchema = z
  .object({ password: newPassword(REGISTER_CLASSES, 'auth.passwordClasses'), confirmPassword })
  .check(matching);

/** Schema of the sign-in form. */
export const loginSchema = z.object({
  username: email,
  password: z.string().check(z.minLength(1, word('auth.passwordRequired')), z.refine(longEnough, word('auth.passwordShort'))),
  rememberMe: z.boolean(),
});

const typedCode = (shape: RegExp, complaint: TextKey) =>
  z.object({
    code: z.string().check(
      z.trim(),
      z.minLength(1, word('auth.totpRequired')),
      z.refine((code) => code === '' || shape.test(bareCode(code)), complaint),
    ),
  });

/** Schema of a code of an authenticator app: six digits. Spaces are ignored. */
export const appCodeSchema = typedCode(/^\d{6}$/, 'auth.totpFormat');

/**
 * Schema of a recovery code: four groups of six characters, or two groups of five in the old
 * format.
 */
export const recoveryCodeSchema = typedCode(/^([a-z0-9]{5}-?[a-z0-9]{5}|([a-z0-9]{6}-?){3}[a-z0-9]{6})$/i, 'auth.recoveryFormat');

/** Returns a typed code without spaces. */
export function bareCode(code: string): string {
  return code.replace(/\s+/g, '');
}

/** Schema of a form with one mail address. */
export const emailSchema = z.object({ email });

export type RegisterForm = z.infer<typeof registerSchema>;
export type PasswordForm = z.infer<typeof passwordSchema>;
export type ResetForm = z.infer<typeof resetSchema>;
export type LoginForm = z.infer<typeof loginSchema>;
export type CodeForm = z.infer<typeof appCodeSchema>;
export type EmailForm = z.infer<typeof emailSchema>;
