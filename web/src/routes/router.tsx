import { createBrowserRouter } from 'react-router';
import { methodsInTime } from '../api/methods.ts';
import { AppShell } from '../components/shell/AppShell.tsx';
import { PageSkeleton } from '../components/shell/PageSkeleton.tsx';
import { RouteError } from '../pages/RouteError.tsx';
import { GuestsOnly, RequireUser } from './guards.tsx';

const METHODS_WAIT_MS = 800;

/** The page waits a moment for which ways to sign in there are, so that it need not move when the answer comes. */
async function offeredMethods() {
  await methodsInTime(METHODS_WAIT_MS);
  return null;
}

/** All routes on one page; each page is its own chunk. */
export const router = createBrowserRouter([
  {
    Component: AppShell,
    ErrorBoundary: RouteError,
    HydrateFallback: PageSkeleton,
    children: [
      {
        ErrorBoundary: RouteError,
        children: [
          { index: true, lazy: async () => ({ Component: (await import('../pages/landing/LandingPage.tsx')).LandingPage }) },
          { path: 'faq', lazy: async () => ({ Component: (await import('../pages/FaqPage.tsx')).FaqPage }) },
          { path: 'privacy', lazy: async () => ({ Component: (await import('../pages/PrivacyPage.tsx')).PrivacyPage }) },
          { path: 'status', lazy: async () => ({ Component: (await import('../pages/StatusPage.tsx')).StatusPage }) },
          {
            path: 'auth/verify-email',
            lazy: async () => ({ Component: (await import('../pages/auth/VerifyEmailPage.tsx')).VerifyEmailPage }),
          },
          {
            path: 'auth/google/callback',
            lazy: async () => ({ Component: (await import('../pages/auth/GoogleCallbackPage.tsx')).GoogleCallbackPage }),
          },
          {
            Component: GuestsOnly,
            children: [
              {
                path: 'auth/register',
                loader: offeredMethods,
                lazy: async () => ({ Component: (await import('../pages/auth/RegisterPage.tsx')).RegisterPage }),
              },
              {
                path: 'auth/login',
                loader: offeredMethods,
                lazy: async () => ({ Component: (await import('../pages/auth/LoginPage.tsx')).LoginPage }),
              },
              {
                path: 'auth/forgot-password',
                lazy: async () => ({ Component: (await import('../pages/auth/ForgotPasswordPage.tsx')).ForgotPasswordPage }),
              },
              {
                path: 'auth/reset-password',
                lazy: async () => ({ Component: (await import('../pages/auth/ResetPasswordPage.tsx')).ResetPasswordPage }),
              },
              {
                path: 'auth/resend-verification',
                lazy: async () => ({
                  Component: (await import('../pages/auth/ResendVerificationPage.tsx')).ResendVerificationPage,
                }),
              },
            ],
          },
          {
            Component: RequireUser,
            children: [
              {
                path: 'dashboard',
                lazy: async () => ({ Component: (await import('../pages/dashboard/DashboardPage.tsx')).DashboardPage }),
              },
              {
                path: 'schedule/wizard',
                lazy: async () => ({ Component: (await import('../pages/wizard/WizardPage.tsx')).WizardPage }),
              },
              {
                path: 'test-schedules',
                lazy: async () => ({ Component: (await import('../pages/TestSchedulesPage.tsx')).TestSchedulesPage }),
              },
              { path: 'schedule/:id', lazy: async () => ({ Component: (await import('../pages/task/TaskPage.tsx')).TaskPage }) },
              {
                path: 'schedule/:id/receipt/:n',
                lazy: async () => ({
                  Component: (await import('../pages/task/BookingReceiptPage.tsx')).BookingReceiptPage,
                }),
              },
              { path: 'schedule/edit/:id', lazy: async () => ({ Component: (await import('../pages/EditPage.tsx')).EditPage }) },
              {
                path: 'balance',
                lazy: async () => ({ Component: (await import('../pages/money/MovementsPage.tsx')).MovementsPage }),
              },
              {
                path: 'balance/receipt/:id',
                lazy: async () => ({ Component: (await import('../pages/money/ReceiptPage.tsx')).ReceiptPage }),
              },
              { path: 'settings', lazy: async () => ({ Component: (await import('../pages/SettingsPage.tsx')).SettingsPage }) },
            ],
          },
          { path: '*', lazy: async () => ({ Component: (await import('../pages/NotFoundPage.tsx')).NotFoundPage }) },
        ],
      },
    ],
  },
]);
