import * as z from 'zod/mini';
import type { Words } from '../i18n/words.ts';

const word = (key: Words) => key;

const email = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, word('auth.emailRequired')),
    z.regex(/^$|^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/, word('auth.emailInvalid')),
  );

const newPassword = z.string().check(
  z.minLength(1, word('auth.passwordRequired')),
  z.refine((text) => text.length === 0 || text.length >= 8, word('auth.passwordShort')),
  z.refine(
    (text) => text.length < 8 || (/[A-Z]/.test(text) && /[a-z]/.test(text) && /\d/.test(text) && /[^A-Za-z0-9\s]/.test(text)),
    word('auth.passwordClasses'),
  ),
);

/** Registration: the messages are keys of the locale files. */
export const registerSchema = z
  .object({ email, password: newPassword, confirmPassword: z.string().check(z.minLength(1, word('auth.confirmRequired'))) })
  .check(
    z.refine((form) => form.confirmPassword.length === 0 || form.confirmPassword === form.password, {
      path: ['confirmPassword'],
      message: word('auth.confirmMismatch'),
      when: () => true,
    }),
  );

/** Sign-in. */
export const loginSchema = z.object({
  username: email,
  password: z.string().check(
    z.minLength(1, word('auth.passwordRequired')),
    z.refine((text) => text.length === 0 || text.length >= 8, word('auth.passwordShort')),
  ),
  rememberMe: z.boolean(),
});

/** A form of one e-mail address. */
export const emailSchema = z.object({ email });

export type RegisterForm = z.infer<typeof registerSchema>;
export type LoginForm = z.infer<typeof loginSchema>;
export type EmailForm = z.infer<typeof emailSchema>;
