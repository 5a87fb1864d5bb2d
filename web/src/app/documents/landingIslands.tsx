import { Gallery } from '../../features/site/landing/Gallery.tsx';
import { Showcase } from '../../features/site/landing/Showcase.tsx';
import { documentPart } from './documentPart.tsx';

// Film and gallery of the landing page. Their code loads in one piece when they are near the
// screen.
export const ShowcaseIsland = documentPart(Showcase);
export const GalleryIsland = documentPart(Gallery);
