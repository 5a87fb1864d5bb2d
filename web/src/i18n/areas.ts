/**
 * The product's words come in pieces, an area each: the words that its module, and all that this module imports, can say.
 * The build finds them out (scripts/words.ts); a writer knows only en.json and zh.json. An area is asked for together with its
 * module, by `withWords`.
 */
export const areas = {
  /** What comes first, before any page. */
  app: 'src/main.tsx',
  open: 'src/open/client.tsx',
  pay: 'src/pay/main.tsx',
  showcase: 'src/components/landing/Showcase.tsx',
  gallery: 'src/components/landing/Gallery.tsx',
  contact: 'src/components/landing/ContactCards.tsx',
  signUp: 'src/components/landing/SignUpCard.tsx',
  member: 'src/open/Member.tsx',
  landing: 'src/pages/landing/WholeLandingPage.tsx',
  faq: 'src/pages/FaqPage.tsx',
  privacy: 'src/pages/PrivacyPage.tsx',
  status: 'src/pages/StatusPage.tsx',
  verifyEmail: 'src/pages/auth/VerifyEmailPage.tsx',
  googleCallback: 'src/pages/auth/GoogleCallbackPage.tsx',
  register: 'src/pages/auth/RegisterPage.tsx',
  login: 'src/pages/auth/LoginPage.tsx',
  forgot: 'src/pages/auth/ForgotPasswordPage.tsx',
  reset: 'src/pages/auth/ResetPasswordPage.tsx',
  resend: 'src/pages/auth/ResendVerificationPage.tsx',
  dashboard: 'src/pages/dashboard/DashboardPage.tsx',
  wizard: 'src/pages/wizard/WizardPage.tsx',
  testSchedules: 'src/pages/TestSchedulesPage.tsx',
  task: 'src/pages/task/TaskPage.tsx',
  bookingReceipt: 'src/pages/task/BookingReceiptPage.tsx',
  edit: 'src/pages/EditPage.tsx',
  movements: 'src/pages/money/MovementsPage.tsx',
  receipt: 'src/pages/money/ReceiptPage.tsx',
  settings: 'src/pages/SettingsPage.tsx',
  notFound: 'src/pages/NotFoundPage.tsx',
} as const;

/** A piece of the words. */
export type Area = keyof typeof areas;
