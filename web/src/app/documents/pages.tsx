import type { ComponentType } from 'react';
import { AnswerPage } from '../../features/auth/AnswerPage.tsx';
import { CheckMailPage } from '../../features/auth/CheckMailPage.tsx';
import { ForgotPasswordPage } from '../../features/auth/ForgotPasswordPage.tsx';
import { GoogleCallbackPage } from '../../features/auth/GoogleCallbackPage.tsx';
import { GuestsOnly } from '../../features/auth/GuestsOnly.tsx';
import { LoginPage } from '../../features/auth/LoginPage.tsx';
import { RegisterPage } from '../../features/auth/RegisterPage.tsx';
import { ResendVerificationPage } from '../../features/auth/ResendVerificationPage.tsx';
import { ResetPasswordPage } from '../../features/auth/ResetPasswordPage.tsx';
import { VerifyEmailPage } from '../../features/auth/VerifyEmailPage.tsx';
import type { AuthPageName } from './authPages.ts';

const forGuests = (Page: ComponentType) => () => (
  <GuestsOnly>
    <Page />
  </GuestsOnly>
);

/** Component of each sign-in page. */
export const pages: Record<AuthPageName, ComponentType> = {
  login: forGuests(LoginPage),
  register: forGuests(RegisterPage),
  checkMail: forGuests(CheckMailPage),
  forgot: forGuests(ForgotPasswordPage),
  reset: forGuests(ResetPasswordPage),
  resend: forGuests(ResendVerificationPage),
  verifyEmail: VerifyEmailPage,
  answer: AnswerPage,
  googleCallback: GoogleCallbackPage,
};
