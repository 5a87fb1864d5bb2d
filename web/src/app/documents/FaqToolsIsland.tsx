import { FaqTools } from '../../features/site/faq/FaqTools.tsx';
import { documentPart } from './documentPart.tsx';

/**
 * Tools of the FAQ page. The document already has the texts of the questions, so the island does
 * not repeat them.
 */
export const FaqToolsIsland = documentPart(FaqTools);
