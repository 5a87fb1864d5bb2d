import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { Illustration } from '../../shared/legacy/Illustration.tsx';

/** Says in words that there is nothing yet, and when there will be. */
export function Empty({ drawing = 'calendar', children }: { drawing?: 'calendar' | 'sheet'; children: ReactNode }) {
  return (
    <Box
      sx={{
        display: 'flex',
        flexDirection: { xs: 'column', sm: 'row' },
        gap: { xs: 1, sm: 2 },
        alignItems: { xs: 'flex-start', sm: 'center' },
        p: 2,
        borderRadius: '12px',
        bgcolor: 'background.quiet',
        fontSize: 14,
        lineHeight: 1.6,
        color: 'text.secondary',
      }}
    >
      <Illustration name={drawing} width={96} />
      <span>{children}</span>
    </Box>
  );
}

/** A table that scrolls within itself, also by keyboard. */
export function TableBox({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box
      role="group"
      aria-label={label}
      tabIndex={0}
      sx={{
        maxHeight: 360,
        overflow: 'auto',
        border: 1,
        borderColor: 'divider',
        borderRadius: '12px',
        '& table': { width: '100%', borderCollapse: 'collapse', fontSize: 14, lineHeight: 1.6 },
        '& th, & td': { p: '7px 12px', textAlign: 'left', whiteSpace: 'nowrap', borderBottom: 1, borderColor: 'divider' },
        '& tr:last-of-type > *': { borderBottom: 0 },
        '& thead th': { position: 'sticky', top: 0, bgcolor: 'background.quiet', fontSize: 13, fontWeight: 600, zIndex: 1 },
        '& tbody th': { fontWeight: 500 },
      }}
    >
      <table>{children}</table>
    </Box>
  );
}
