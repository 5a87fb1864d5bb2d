import { FaqTools } from '../../features/site/faq/FaqTools.tsx';
import { documentPart } from './documentPart.tsx';

/**
 * Buttons of the FAQ page, as an Astro island. The questions are static, so their texts are not
 * part of the island.
 */
export const FaqToolsIsland = documentPart(FaqTools);
