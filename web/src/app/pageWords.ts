import { appPages, componentOf } from './pages.ts';

/** The folders whose words come before any page: what every page says, and what is said around it. */
export const firstWords = ['shared/i18n', 'app', 'app/shell'];

/** For each page, by its module's name, the folders whose words come with its code. */
export const pageWords: Record<string, readonly string[]> = {
  WholeLandingPage: [
    'features/site/landing',
    'parts/account',
    'parts/dateLine',
    'parts/productExample',
    'parts/task',
    'shared/forms',
  ],
  WholeFaqPage: ['features/site/faq'],
  PrivacyPage: ['features/site/privacy'],
  PricingPage: ['features/site/policies'],
  RefundsPage: ['features/site/policies'],
  TermsPage: ['features/site/policies'],
  LiveStatus: ['features/status'],
  ...Object.fromEntries(Object.values(appPages).map((page) => [componentOf(page), page.words])),
};
