import { Gallery } from '../../features/site/landing/Gallery.tsx';
import { Showcase } from '../../features/site/landing/Showcase.tsx';
import { documentPart } from './documentPart.tsx';

// What plays and opens on the landing: comes when it is near the screen, in one piece.
export const ShowcaseIsland = documentPart(Showcase);
export const GalleryIsland = documentPart(Gallery);
