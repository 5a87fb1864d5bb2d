import { usePageTitle } from '../../../shared/hooks/usePageTitle.ts';
import { ContactCards } from './ContactCards.tsx';
import { Gallery } from './Gallery.tsx';
import { LandingPage } from './LandingPage.tsx';
import { Showcase } from './Showcase.tsx';
import { SignUpCard } from './SignUpCard.tsx';

/** Renders the landing page within the app, for development without prerendered documents. */
export function WholeLandingPage() {
  usePageTitle('');
  return <LandingPage signUp={<SignUpCard />} showcase={<Showcase />} gallery={<Gallery />} contact={<ContactCards />} />;
}
