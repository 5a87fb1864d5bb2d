/** Topic of the settings, as in its address. */
export type SettingsTopic = 'notifications' | 'visa-accounts' | 'account' | 'security' | 'devices' | 'data' | 'referral';

/** All addresses of the app. Other code uses these constants. */
export const paths = {
  home: '/',
  register: '/auth/register',
  login: '/auth/login',
  forgot: '/auth/forgot-password',
  reset: '/auth/reset-password',
  googleCallback: '/auth/google/callback',
  verifyEmail: '/auth/verify-email',
  checkMail: '/auth/check-mail',
  resend: '/auth/resend-verification',
  answer: '/auth/answer',
  invitation: '/auth/invitation',
  link: '/auth/link',
  signInLink: '/auth/sign-in',
  dashboard: '/dashboard',
  wizard: (step?: number) => (step === undefined ? '/schedule/wizard' : `/schedule/wizard?step=${step}`),
  task: (id: string) => `/schedule/${id}`,
  bookingReceipt: (id: string, n: number) => `/schedule/${id}/receipt/${n}`,
  edit: (id: string) => `/schedule/edit/${id}`,
  balance: '/balance',
  receipt: (id: string) => `/balance/receipt/${id}`,
  /**
   * Address of the card page. It is a separate document, which gets the origin of its parent page.
   */
  pay: (page: string | null, language: string, theme: string) =>
    `${page ?? '/pay'}?lang=${language}&theme=${theme}&from=${encodeURIComponent(window.location.origin)}`,
  testSchedules: '/test-schedules',
  settings: '/settings',
  settingsTopic: (topic: SettingsTopic) => `/settings/${topic}`,
  faq: '/faq',
  privacy: '/privacy',
  pricing: '/pricing',
  refunds: '/refunds',
  terms: '/terms',
  status: '/status',
} as const;
