import type { ComponentType } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router';
import { billingStore } from '../shared/api/billing.ts';
import { sessionStore } from '../shared/api/identity.ts';
import { whenBillingKnown } from '../shared/api/methods.ts';
import { withTexts } from '../shared/i18n/translations.ts';
import { turnAway } from '../shared/routing/origin.ts';
import { paths } from '../shared/routing/paths.ts';
import { PageSkeleton } from '../shared/ui/PageSkeleton.tsx';
import { authPages } from './documents/authPages.ts';
import { documentPaths } from './documents/documentPaths.ts';
import { Members, membersOnly } from './guards.tsx';
import { leaveApp } from './leaveApp.ts';
import { type AppPage, type AppPageName, appPages, componentOf } from './pages.ts';
import { pageTextFolders } from './pageTextFolders.ts';
import { prefetch } from './prefetch.ts';
import { RouteError } from './RouteError.tsx';
import { AppShell } from './shell/AppShell.tsx';

const modules = import.meta.glob<Record<string, ComponentType>>([
  '../features/*/*Page.tsx',
  './*Page.tsx',
  '!../features/{auth,card}/**',
]);

/** Loads the component of a page with its texts. */
async function load(page: AppPage): Promise<ComponentType> {
  const file = `../${page.module}.tsx`.replace('../app/', './');
  const name = componentOf(page);
  const component = (await modules[file]?.())?.[name];
  if (!component) throw new Error(`${file} has no ${name}`);
  return component;
}

/**
 * Longest time for which the skeleton waits for the page's data. Without the data the page would
 * render twice.
 */
const FIRST_DATA_MS = 300;
/** True after the first page has rendered. */
let begun = false;

/** Returns the route of a page. Its code, texts and data load in parallel. */
function routeOf([name, page]: [AppPageName, AppPage]): RouteObject {
  const missing = () => page.money && !billingStore.get();
  return {
    path: page.path,
    loader: async ({ params, request }) => {
      await whenBillingKnown();
      if (missing()) return null;
      const first = prefetch[name]?.({ params, search: new URL(request.url).searchParams });
      if (!begun) await Promise.race([first, new Promise((late) => setTimeout(late, FIRST_DATA_MS))]);
      begun = true;
      return null;
    },
    lazy: async () => {
      await whenBillingKnown();
      const shown = missing() ? appPages.notFound : page;
      return { Component: await withTexts(shown.texts, () => load(shown)) };
    },
  };
}

const pages = Object.entries(appPages) as [AppPageName, AppPage][];
const pagesFor = (members: boolean) => pages.filter(([, page]) => page.members === members).map(routeOf);

/**
 * Routes whose pages are documents of the server. The app leaves, and the browser requests the
 * document.
 */
const documents: RouteObject[] = documentPaths.map((path) => ({ path, loader: () => leaveApp(path) }));

/** Returns a loader for a page that is a document in production, with its texts. */
const plainPage = (name: string, component: () => Promise<ComponentType>) => async () => ({
  Component: await withTexts(pageTextFolders[name] ?? [], component),
});

/** Routes that render these documents within the app, for development. */
const documentsInApp: RouteObject[] = [
  {
    path: paths.status,
    lazy: plainPage('LiveStatus', async () => (await import('../features/status/LiveStatus.tsx')).LiveStatus),
  },
  ...Object.entries(authPages).map(([name, { path }]) => ({
    path,
    lazy: async () => {
      const { pages } = await withTexts(
        ['features/auth', 'parts/account', 'parts/dateLine', 'parts/productExample', 'shared/forms'],
        () => import('./documents/pages.tsx'),
      );
      return { Component: pages[name as keyof typeof pages] };
    },
  })),
  {
    path: paths.home,
    lazy: plainPage(
      'WholeLandingPage',
      async () => (await import('../features/site/landing/WholeLandingPage.tsx')).WholeLandingPage,
    ),
  },
  {
    path: paths.faq,
    lazy: plainPage('WholeFaqPage', async () => (await import('../features/site/faq/WholeFaqPage.tsx')).WholeFaqPage),
  },
  {
    path: paths.privacy,
    lazy: plainPage('PrivacyPage', async () => (await import('../features/site/privacy/PrivacyPage.tsx')).PrivacyPage),
  },
  {
    path: paths.pricing,
    lazy: plainPage('PricingPage', async () => (await import('../features/site/policies/PricingPage.tsx')).PricingPage),
  },
  {
    path: paths.refunds,
    lazy: plainPage('RefundsPage', async () => (await import('../features/site/policies/RefundsPage.tsx')).RefundsPage),
  },
  {
    path: paths.terms,
    lazy: plainPage('TermsPage', async () => (await import('../features/site/policies/TermsPage.tsx')).TermsPage),
  },
];

const MEMBERS = 'members';

/** All routes of the app. Each page is a separate chunk. */
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
          { id: MEMBERS, middleware: [membersOnly], Component: Members, children: pagesFor(true) },
          ...pagesFor(false),
        ],
      },
    ],
  },
];

/**
 * Starts the router at the current address. Only main.tsx calls it. It is a function, because the
 * bundler may put this module into a file that documents outside of the app load too. A router must
 * not start there.
 */
export function startRouter() {
  const router = createBrowserRouter(routes);
  sessionStore.subscribe(() => {
    const { location, matches } = router.state;
    const forMembers = matches.some(({ route }) => route.id === MEMBERS);
    if (forMembers && !sessionStore.get()) void leaveApp(turnAway(`${location.pathname}${location.search}`));
  });
  return router;
}
