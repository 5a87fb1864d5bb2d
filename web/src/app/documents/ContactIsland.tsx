import { ContactCards } from '../../features/site/landing/ContactCards.tsx';
import { documentPart } from './documentPart.tsx';

/** Contacts of the landing page. Their code loads when a user wants to copy one. */
export const ContactIsland = documentPart(ContactCards);
