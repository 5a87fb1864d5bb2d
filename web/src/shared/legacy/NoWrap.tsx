import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

/** Keeps a date, a time or a number with its unit on one line. */
export function NoWrap({ children }: { children: ReactNode }) {
  return (
    <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
      {children}
    </Box>
  );
}
