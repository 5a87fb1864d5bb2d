import { usePageTitle } from '../../../shared/hooks/usePageTitle.ts';
import { homeParts } from './homeParts.ts';
import { LandingPage } from './LandingPage.tsx';

/** The landing inside the app, where the server has no document of it: while the web is being worked on. */
export function WholeLandingPage() {
  usePageTitle('');
  return <LandingPage parts={homeParts} />;
}
