import type { Shadows } from '@mui/material/styles';

const card = '0 1px 2px rgba(58,48,30,.05)';
const tile = '0 1px 2px rgba(58,48,30,.04),0 10px 28px -12px rgba(58,48,30,.14)';
const hero = '0 2px 6px rgba(58,48,30,.05),0 28px 64px -24px rgba(58,48,30,.26)';

/** Warm, low, one light from above, at MUI's levels: 1 a card at rest, 2 to 23 what floats, 24 what the landing holds up and dialogs. A dark card lifts by its lightness instead. */
// biome-ignore format: a list of 25 levels reads best in one piece
export const shadows: Shadows = [
  'none', card,
  tile, tile, tile, tile, tile, tile, tile, tile, tile, tile, tile, tile, tile, tile, tile, tile, tile, tile, tile, tile, tile, tile,
  hero,
];
