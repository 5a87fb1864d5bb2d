import type { Words } from '../../shared/i18n/words.ts';
import { paths } from '../../shared/routing/paths.ts';

interface AuthPageFacts {
  path: string;
  title: Words;
  /** Groups of texts on the page, besides those of the frame. */
  words: readonly string[];
  /** Turns signed-in users away. */
  guests: boolean;
}

/** Texts of the forms, and of the example beside them. */
const authWords = ['auth', 'dateline', 'landing.city0', 'landing.demoData', 'landing.demoGain', 'landing.demoTime'];

/** Sign-in pages. Each is a document of its own. */
export const authPages = {
  login: { path: paths.login, title: 'auth.signIn', words: authWords, guests: true },
  register: { path: paths.register, title: 'auth.createAccount', words: [...authWords, 'codes'], guests: true },
  forgot: { path: paths.forgot, title: 'auth.forgotTitle', words: authWords, guests: true },
  reset: { path: paths.reset, title: 'auth.resetTitle', words: authWords, guests: true },
  resend: { path: paths.resend, title: 'auth.resendTitle', words: authWords, guests: true },
  verifyEmail: { path: paths.verifyEmail, title: 'auth.verifyTitle', words: authWords, guests: false },
  answer: { path: paths.answer, title: 'answer.title', words: [...authWords, 'answer'], guests: false },
  googleCallback: { path: paths.googleCallback, title: 'auth.callbackTitle', words: authWords, guests: false },
} as const satisfies Record<string, AuthPageFacts>;

export type AuthPageName = keyof typeof authPages;
