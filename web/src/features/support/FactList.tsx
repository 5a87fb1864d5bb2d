import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

/** Terms and their values, in two columns. */
export function FactList({ rows }: { rows: [string, ReactNode][] }) {
  return (
    <Box
      component="dl"
      sx={{
        display: 'grid',
        gridTemplateColumns: 'minmax(96px, auto) minmax(0, 1fr)',
        gap: '4px 16px',
        fontSize: 14,
        '& dt': { color: 'text.tertiary' },
        '& dd': { overflowWrap: 'anywhere' },
      }}
    >
      {rows.map(([term, value]) => (
        <Box key={term} sx={{ display: 'contents' }}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </Box>
      ))}
    </Box>
  );
}
