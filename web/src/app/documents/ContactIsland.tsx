import { ContactCards } from '../../features/site/landing/ContactCards.tsx';
import { documentPart } from './documentPart.tsx';

/** The contacts of the landing, whose code comes when somebody wants to copy one. */
export const ContactIsland = documentPart(ContactCards);
