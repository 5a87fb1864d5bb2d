/** How a link of the header's navigation looks; the page one is on has `aria-current`. */
export const navLink = {
  display: 'inline-flex',
  alignItems: 'center',
  height: 40,
  px: 1.5,
  borderRadius: '999px',
  fontSize: 15,
  fontWeight: 500,
  color: 'text.secondary',
  textDecoration: 'none',
  '&:hover': { bgcolor: 'background.sunken', color: 'text.primary' },
  '&[aria-current]': { bgcolor: 'background.sunken', color: 'text.primary', fontWeight: 600 },
} as const;

/** The row they stand in, from 900 px up. */
export const navRow = { display: { xs: 'none', md: 'flex' }, gap: 0.5, ml: 3, flex: 1 } as const;
