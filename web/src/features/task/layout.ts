/** Cards below each other. */
export const stack = {
  display: 'grid',
  gridTemplateColumns: 'minmax(0,1fr)',
  gap: { xs: 2, md: 3 },
  alignContent: 'start',
} as const;

/** What was seen at the left, the rail at the right; one column below 900 px. */
export const columns = {
  display: 'grid',
  gridTemplateColumns: { xs: 'minmax(0,1fr)', md: 'minmax(0,1fr) 368px' },
  gap: { xs: 2, md: 3 },
  alignItems: 'start',
} as const;

/** Two equal columns. */
export const halves = {
  display: 'grid',
  gridTemplateColumns: { xs: 'minmax(0,1fr)', md: 'minmax(0,1fr) minmax(0,1fr)' },
  gap: { xs: 2, md: 3 },
  mt: { xs: 2, md: 3 },
} as const;
