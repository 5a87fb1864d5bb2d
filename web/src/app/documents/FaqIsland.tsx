import { FaqPage } from '../../features/site/faq/FaqPage.tsx';
import { documentPart } from './documentPart.tsx';

/** The questions within their document, which is read without script; tools and marks come with the first touch. */
export const FaqIsland = documentPart(FaqPage);
