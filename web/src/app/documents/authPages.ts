import type { TextKey } from '../../shared/i18n/textKey.ts';
import { paths } from '../../shared/routing/paths.ts';

interface AuthPageFacts {
  path: string;
  title: TextKey;
  /** Groups of texts that the page needs besides those of the frame. */
  texts: readonly string[];
  /** True if signed-in users are redirected. */
  guests: boolean;
}

/** Texts of the forms and of the example beside them. */
const authTexts = ['auth', 'dateline', 'landing.city0', 'landing.demoData', 'landing.demoGain', 'landing.demoTime'];

/** Sign-in pages. Each is a separate document. */
export const authPages = {
  login: { path: paths.login, title: 'auth.signIn', texts: authTexts, guests: true },
  register: { path: paths.register, title: 'auth.createAccount', texts: [...authTexts, 'codes'], guests: true },
  checkMail: { path: paths.checkMail, title: 'auth.checkMailTitle', texts: authTexts, guests: true },
  forgot: { path: paths.forgot, title: 'auth.forgotTitle', texts: authTexts, guests: true },
  reset: { path: paths.reset, title: 'auth.resetTitle', texts: authTexts, guests: true },
  resend: { path: paths.resend, title: 'auth.resendTitle', texts: authTexts, guests: true },
  verifyEmail: { path: paths.verifyEmail, title: 'auth.verifyTitle', texts: authTexts, guests: false },
  answer: { path: paths.answer, title: 'answer.title', texts: [...authTexts, 'answer', 'unit'], guests: false },
  googleCallback: { path: paths.googleCallback, title: 'auth.callbackTitle', texts: authTexts, guests: false },
} as const satisfies Record<string, AuthPageFacts>;

export type AuthPageName = keyof typeof authPages;
