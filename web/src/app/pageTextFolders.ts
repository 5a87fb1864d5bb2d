import { appPages, componentOf } from './pages.ts';

/** Folders whose texts load before any page: common texts, and those of the page frame. */
export const frameTextFolders = ['shared/i18n', 'app', 'app/shell'];

/** Folders whose texts load with the code of a page, by the name of the page's module. */
export const pageTextFolders: Record<string, readonly string[]> = {
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
  ...Object.fromEntries(Object.values(appPages).map((page) => [componentOf(page), page.texts])),
};
