import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

export interface Term {
  term: string;
  value: ReactNode;
}

/** Facts of a card as terms with their values, two pairs a row where there is room. */
export function TermList({ rows, even = false }: { rows: Term[]; even?: boolean }) {
  return (
    <Box
      component="dl"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'auto 1fr', sm: even ? 'auto 1fr auto 1fr' : 'auto 1.7fr auto 1fr' },
        gap: '6px 16px',
        fontSize: 14,
        lineHeight: 1.6,
        alignItems: 'baseline',
        '& dt': { color: 'text.tertiary', whiteSpace: 'nowrap' },
        '& dd': { minWidth: 0 },
      }}
    >
      {rows.map((row) => (
        <Box key={row.term} sx={{ display: 'contents' }}>
          <dt>{row.term}</dt>
          <dd>{row.value}</dd>
        </Box>
      ))}
    </Box>
  );
}
