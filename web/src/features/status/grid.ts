/** A wide column and a rail, as the app's other pages have them. */
export const statusGrid = {
  display: 'grid',
  gap: { xs: 2, md: 3 },
  gridTemplateColumns: { xs: 'minmax(0,1fr)', md: 'minmax(0,1fr) 368px' },
  alignItems: 'start',
} as const;
