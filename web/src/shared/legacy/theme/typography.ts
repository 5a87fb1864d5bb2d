import type { TypographyVariantsOptions } from '@mui/material/styles';
import type { CSSProperties } from 'react';

const phone = '@media (max-width:599.95px)';
/** One size from 600 px up and another below. */
const shrinking = (wide: CSSProperties, narrow: CSSProperties) =>
  ({ ...wide, [phone]: narrow }) as TypographyVariantsOptions['h1'];
const tabular = { fontVariantNumeric: 'tabular-nums lining-nums' } as const;

/** The type scale of the design language; 12 px is the floor, and Chinese never gets letter-spacing or italics. */
export const typography: TypographyVariantsOptions = {
  fontFamily: 'var(--font)',
  fontWeightMedium: 600,
  h1: shrinking({ fontSize: 60, lineHeight: 1.2, fontWeight: 700, letterSpacing: 0 }, { fontSize: 38, lineHeight: 1.25 }),
  h2: shrinking({ fontSize: 38, lineHeight: 1.3, fontWeight: 700, letterSpacing: 0 }, { fontSize: 28, lineHeight: 1.35 }),
  h3: shrinking({ fontSize: 26, lineHeight: 1.35, fontWeight: 700, letterSpacing: 0 }, { fontSize: 23, lineHeight: 1.4 }),
  h4: { fontSize: 24, lineHeight: 1.4, fontWeight: 700, letterSpacing: 0 },
  h5: shrinking({ fontSize: 20, lineHeight: 1.5, fontWeight: 600, letterSpacing: 0 }, { fontSize: 18 }),
  h6: { fontSize: 16, lineHeight: 1.5, fontWeight: 600, letterSpacing: 0 },
  lead: shrinking({ fontSize: 18, lineHeight: 1.75 }, { fontSize: 16 }),
  body1: { fontSize: 16, lineHeight: 1.7, letterSpacing: 0 },
  body2: { fontSize: 14, lineHeight: 1.6, letterSpacing: 0 },
  caption: { fontSize: 13, lineHeight: 1.55, letterSpacing: 0 },
  overline: { fontSize: 12, lineHeight: 1.5, fontWeight: 500, letterSpacing: 0, textTransform: 'none' },
  micro: { fontSize: 12, lineHeight: 1.5, letterSpacing: 0 },
  label: { fontSize: 14, lineHeight: 1.5, fontWeight: 600 },
  control: { fontSize: 15, lineHeight: 1.5, fontWeight: 600, letterSpacing: 0 },
  button: { textTransform: 'none', fontWeight: 600, letterSpacing: 0 },
  figureXl: shrinking({ fontSize: 44, lineHeight: 1.1, fontWeight: 600, ...tabular }, { fontSize: 36 }),
  figureLg: shrinking({ fontSize: 30, lineHeight: 1.15, fontWeight: 600, ...tabular }, { fontSize: 26 }),
  figureMd: shrinking({ fontSize: 20, lineHeight: 1.3, fontWeight: 600, ...tabular }, { fontSize: 18 }),
};
