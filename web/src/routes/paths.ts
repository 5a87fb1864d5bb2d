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
  edit: (id: string) => `/schedule/edit/${id}`,
  settings: '/settings',
  faq: '/faq',
  privacy: '/privacy',
  status: '/status',
} as const;
