import type { Words } from '../../shared/i18n/words.ts';
import { paths } from '../../shared/routing/paths.ts';

/** The pages that are rendered at build time, in both languages, and need no router. */
export const openPages = {
  home: { path: paths.home, title: 'open.homeTitle', description: 'open.homeDescription' },
  faq: { path: paths.faq, title: 'open.faqTitle', description: 'open.faqDescription' },
  privacy: { path: paths.privacy, title: 'open.privacyTitle', description: 'open.privacyDescription' },
} as const satisfies Record<string, { path: string; title: Words; description: Words }>;

export type OpenPage = keyof typeof openPages;

/** The page at an address, or null where it is the app's. */
export function openPageAt(pathname: string): OpenPage | null {
  const path = pathname.replace(/(.)\/+$/, '$1');
  const found = Object.entries(openPages).find(([, page]) => page.path === path);
  return (found?.[0] as OpenPage | undefined) ?? null;
}
