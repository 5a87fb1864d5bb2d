import { usePageTitle } from '../../../shared/hooks/usePageTitle.ts';
import { ContactCards } from './ContactCards.tsx';
import { Gallery } from './Gallery.tsx';
import { LandingPage } from './LandingPage.tsx';
import { Showcase } from './Showcase.tsx';
import { SignUpCard } from './SignUpCard.tsx';

/** Renders the landing page in the app for development, where no server provides its document. */
export function WholeLandingPage() {
  usePageTitle('');
  return <LandingPage signUp={<SignUpCard />} showcase={<Showcase />} gallery={<Gallery />} contact={<ContactCards />} />;
}
