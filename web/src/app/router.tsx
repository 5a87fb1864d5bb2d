import type { ComponentType } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router';
import type { Area } from '../shared/i18n/areas.ts';
import { withWords } from '../shared/i18n/speak.ts';
import { paths } from '../shared/routing/paths.ts';
import { PageSkeleton } from '../shared/ui/PageSkeleton.tsx';
import { authPages } from './documents/authPages.ts';
import { RequireUser } from './guards.tsx';
import { RouteError } from './RouteError.tsx';
import { AppShell } from './shell/AppShell.tsx';

/** A page with the words it can say. */
const page = (area: Area, load: () => Promise<ComponentType>) => async () => ({ Component: await withWords(area, load) });

/** The same for a page with parts of MUI, whose theme comes with it. */
const muiPage = (area: Area, load: () => Promise<ComponentType>) =>
  page(area, async () => {
    const [{ withMui }, Page] = await Promise.all([import('../shared/legacy/theme/withMui.tsx'), load()]);
    return withMui(Page);
  });

/** Pages of which the server has documents: the app leaves, and lets the browser ask for them. */
const documents: RouteObject[] = [paths.home, paths.privacy, ...Object.values(authPages).map((page) => page.path)].map(
  (path) => ({
    path,
    loader: () => {
      window.location.assign(path);
      return new Promise(() => undefined);
    },
  }),
);

/** Where there is no such server, while the web is being worked on, the app shows them itself. */
const documentsInApp: RouteObject[] = [
  ...Object.entries(authPages).map(([name, { path }]) => ({
    path,
    lazy: async () => {
      const { pages } = await import('./documents/pages.tsx');
      return { Component: pages[name as keyof typeof pages] };
    },
  })),
  {
    path: paths.home,
    lazy: muiPage('landing', async () => (await import('../features/site/landing/WholeLandingPage.tsx')).WholeLandingPage),
  },
  {
    path: paths.privacy,
    lazy: muiPage('privacy', async () => (await import('../features/site/privacy/PrivacyPage.tsx')).PrivacyPage),
  },
];

/** All routes on one page; each page is its own chunk. */
const routes: RouteObject[] = [
  {
    Component: AppShell,
    ErrorBoundary: RouteError,
    HydrateFallback: PageSkeleton,
    children: [
      {
        ErrorBoundary: RouteError,
        children: [
          ...(import.meta.env.DEV ? documentsInApp : documents),
          { path: 'faq', lazy: muiPage('faq', async () => (await import('../features/site/faq/FaqPage.tsx')).FaqPage) },
          { path: 'status', lazy: page('status', async () => (await import('../features/status/StatusPage.tsx')).StatusPage) },
          {
            Component: RequireUser,
            children: [
              {
                path: 'dashboard',
                lazy: page('dashboard', async () => (await import('../features/dashboard/DashboardPage.tsx')).DashboardPage),
              },
              {
                path: 'schedule/wizard',
                lazy: page('wizard', async () => (await import('../features/wizard/WizardPage.tsx')).WizardPage),
              },
              {
                path: 'test-schedules',
                lazy: page(
                  'testSchedules',
                  async () => (await import('../features/support/TestSchedulesPage.tsx')).TestSchedulesPage,
                ),
              },
              { path: 'schedule/:id', lazy: page('task', async () => (await import('../features/task/TaskPage.tsx')).TaskPage) },
              {
                path: 'schedule/:id/receipt/:n',
                lazy: page(
                  'bookingReceipt',
                  async () => (await import('../features/task/BookingReceiptPage.tsx')).BookingReceiptPage,
                ),
              },
              {
                path: 'schedule/edit/:id',
                lazy: page('edit', async () => (await import('../features/task/EditPage.tsx')).EditPage),
              },
              {
                path: 'balance',
                lazy: page('movements', async () => (await import('../features/money/MovementsPage.tsx')).MovementsPage),
              },
              {
                path: 'balance/receipt/:id',
                lazy: page('receipt', async () => (await import('../features/money/ReceiptPage.tsx')).ReceiptPage),
              },
              {
                path: 'settings',
                lazy: page('settings', async () => (await import('../features/settings/SettingsPage.tsx')).SettingsPage),
              },
            ],
          },
          { path: '*', lazy: page('notFound', async () => (await import('./NotFoundPage.tsx')).NotFoundPage) },
        ],
      },
    ],
  },
];

/**
 * Starts the app's router at the current address. A function, and called by main.tsx alone: the bundler may put this module into a
 * file that documents outside the app load as well, and a router there would answer their address, which is none of its pages.
 */
export const startRouter = () => createBrowserRouter(routes);
