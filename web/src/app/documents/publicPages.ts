import type { TextKey } from '../../shared/i18n/textKey.ts';
import { paths } from '../../shared/routing/paths.ts';

interface PublicPageFacts {
  path: string;
  title: TextKey;
  /** Description for search engines and shared links. */
  description: TextKey;
}

/** Public pages. Each is a separate document and listed in the sitemap. */
export const publicPages = {
  home: { path: paths.home, title: 'open.homeTitle', description: 'open.homeDescription' },
  faq: { path: paths.faq, title: 'open.faqTitle', description: 'open.faqDescription' },
  privacy: { path: paths.privacy, title: 'open.privacyTitle', description: 'open.privacyDescription' },
  pricing: { path: paths.pricing, title: 'open.pricingTitle', description: 'open.pricingDescription' },
  refunds: { path: paths.refunds, title: 'open.refundsTitle', description: 'open.refundsDescription' },
  terms: { path: paths.terms, title: 'open.termsTitle', description: 'open.termsDescription' },
  status: { path: paths.status, title: 'open.statusTitle', description: 'open.statusDescription' },
} as const satisfies Record<string, PublicPageFacts>;

/** Name of a public page. */
export type PublicPage = keyof typeof publicPages;
