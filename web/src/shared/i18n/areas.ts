/**
 * The product's words come in pieces, an area each: the words that its module, and all that this module imports, can say.
 * The build finds them out (scripts/words.ts); a writer knows only en.json and zh.json. An area is asked for together with its
 * module, by `withWords`.
 */
export const areas = {
  /** What comes first, before any page. */
  app: 'src/app/main.tsx',
  open: 'src/app/open/client.tsx',
  pay: 'src/features/card/main.tsx',
  showcase: 'src/features/site/landing/Showcase.tsx',
  gallery: 'src/features/site/landing/Gallery.tsx',
  contact: 'src/features/site/landing/ContactCards.tsx',
  signUp: 'src/features/site/landing/SignUpCard.tsx',
  member: 'src/app/open/Member.tsx',
  landing: 'src/features/site/landing/WholeLandingPage.tsx',
  faq: 'src/features/site/faq/FaqPage.tsx',
  privacy: 'src/features/site/privacy/PrivacyPage.tsx',
  status: 'src/features/status/StatusPage.tsx',
  /** The frame of the documents around signing in; the areas below are those of their pages. */
  authFrame: 'src/app/documents/AuthDocument.tsx',
  verifyEmail: 'src/features/auth/VerifyEmailPage.tsx',
  googleCallback: 'src/features/auth/GoogleCallbackPage.tsx',
  register: 'src/features/auth/RegisterPage.tsx',
  login: 'src/features/auth/LoginPage.tsx',
  forgot: 'src/features/auth/ForgotPasswordPage.tsx',
  reset: 'src/features/auth/ResetPasswordPage.tsx',
  resend: 'src/features/auth/ResendVerificationPage.tsx',
  dashboard: 'src/features/dashboard/DashboardPage.tsx',
  wizard: 'src/features/wizard/WizardPage.tsx',
  testSchedules: 'src/features/support/TestSchedulesPage.tsx',
  task: 'src/features/task/TaskPage.tsx',
  bookingReceipt: 'src/features/task/BookingReceiptPage.tsx',
  edit: 'src/features/task/EditPage.tsx',
  movements: 'src/features/money/MovementsPage.tsx',
  receipt: 'src/features/money/ReceiptPage.tsx',
  settings: 'src/features/settings/SettingsPage.tsx',
  notFound: 'src/app/NotFoundPage.tsx',
} as const;

/** Areas whose words the build puts into documents (app/documents): nobody loads them. */
export const inDocuments: readonly string[] = [
  'authFrame',
  'verifyEmail',
  'googleCallback',
  'register',
  'login',
  'forgot',
  'reset',
  'resend',
];

/** A piece of the words. */
export type Area = keyof typeof areas;
