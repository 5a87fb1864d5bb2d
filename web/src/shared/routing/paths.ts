/** Every address of the app; nothing else spells one out. */
export const paths = {
  home: '/',
  register: '/auth/register',
  login: '/auth/login',
  forgot: '/auth/forgot-password',
  reset: '/auth/reset-password',
  googleCallback: '/auth/google/callback',
  verifyEmail: '/auth/verify-email',
  resend: '/auth/resend-verification',
  dashboard: '/dashboard',
  wizard: (step?: number) => (step === undefined ? '/schedule/wizard' : `/schedule/wizard?step=${step}`),
  task: (id: string) => `/schedule/${id}`,
  bookingReceipt: (id: string, n: number) => `/schedule/${id}/receipt/${n}`,
  edit: (id: string) => `/schedule/edit/${id}`,
  balance: '/balance',
  receipt: (id: string) => `/balance/receipt/${id}`,
  /** The card page: not of this app, a document of its own. */
  pay: (language: string, theme: string) => `/pay?lang=${language}&theme=${theme}`,
  testSchedules: '/test-schedules',
  settings: '/settings',
  faq: '/faq',
  privacy: '/privacy',
  status: '/status',
} as const;

/** Whether an address is not a page of the app but a document that the server has ready (documents/publicPages.ts, documents/authPages.ts). */
export const isDocument = (to: unknown) =>
  to === paths.home || to === paths.faq || to === paths.privacy || (typeof to === 'string' && to.startsWith('/auth/'));
