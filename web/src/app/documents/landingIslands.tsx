import { Gallery } from '../../features/site/landing/Gallery.tsx';
import { Showcase } from '../../features/site/landing/Showcase.tsx';
import { documentPart } from './documentPart.tsx';

// Video and gallery of the landing page, as Astro islands. Their code is one chunk, which loads
// when they are near the visible area.
export const ShowcaseIsland = documentPart(Showcase);
export const GalleryIsland = documentPart(Gallery);
