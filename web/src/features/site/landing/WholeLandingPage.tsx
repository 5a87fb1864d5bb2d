import { usePageTitle } from '../../../shared/hooks/usePageTitle.ts';
import { ContactCards } from './ContactCards.tsx';
import { Gallery } from './Gallery.tsx';
import { LandingPage } from './LandingPage.tsx';
import { Showcase } from './Showcase.tsx';
import { SignUpCard } from './SignUpCard.tsx';

/** The landing inside the app, where the server has no document of it: while the web is being worked on. */
export function WholeLandingPage() {
  usePageTitle('');
  return <LandingPage signUp={<SignUpCard />} showcase={<Showcase />} gallery={<Gallery />} contact={<ContactCards />} />;
}
