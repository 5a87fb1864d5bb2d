import { FaqTools } from '../../features/site/faq/FaqTools.tsx';
import { documentPart } from './documentPart.tsx';

/** What gives life to the questions of their document: the words of these stand in it once, not here as well. */
export const FaqToolsIsland = documentPart(FaqTools);
