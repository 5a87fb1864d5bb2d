import type { Area } from '../../shared/i18n/areas.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { paths } from '../../shared/routing/paths.ts';

interface AuthPageFacts {
  path: string;
  title: Words;
  /** The words that it says, besides those of the frame. */
  area: Area;
  /** Signed-in people have no business here. */
  guests: boolean;
}

/** The pages around signing in, each a document of its own. */
export const authPages = {
  login: { path: paths.login, title: 'auth.signIn', area: 'login', guests: true },
  register: { path: paths.register, title: 'auth.createAccount', area: 'register', guests: true },
  forgot: { path: paths.forgot, title: 'auth.forgotTitle', area: 'forgot', guests: true },
  reset: { path: paths.reset, title: 'auth.resetTitle', area: 'reset', guests: true },
  resend: { path: paths.resend, title: 'auth.resendTitle', area: 'resend', guests: true },
  verifyEmail: { path: paths.verifyEmail, title: 'auth.verifyTitle', area: 'verifyEmail', guests: false },
  googleCallback: { path: paths.googleCallback, title: 'auth.callbackTitle', area: 'googleCallback', guests: false },
} as const satisfies Record<string, AuthPageFacts>;

export type AuthPageName = keyof typeof authPages;
