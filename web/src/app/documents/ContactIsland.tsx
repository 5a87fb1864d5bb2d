import { ContactCards } from '../../features/site/landing/ContactCards.tsx';
import { documentPart } from './documentPart.tsx';

/**
 * Contacts of the landing page, as an Astro island. Its code loads when the user interacts with it.
 */
export const ContactIsland = documentPart(ContactCards);
