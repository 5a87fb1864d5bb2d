import Box from '@mui/material/Box';
import type { FormEvent, ReactNode } from 'react';

/** The column of an account form: notices, fields, button, links. A browser that sends it by itself must not put passwords into an address: post. */
export function FormBox({ onSubmit, children }: { onSubmit: (event: FormEvent) => unknown; children: ReactNode }) {
  return (
    <Box component="form" method="post" noValidate onSubmit={(event) => void onSubmit(event)} sx={{ display: 'grid', gap: 2 }}>
      {children}
    </Box>
  );
}

/** The last line of an account form: where else one may want to go; `hidden` keeps its place. */
export function FormLinks({ hidden = false, children }: { hidden?: boolean; children: ReactNode }) {
  return (
    <Box
      sx={{
        visibility: hidden ? 'hidden' : 'visible',
        fontSize: 14,
        color: 'text.secondary',
        display: 'flex',
        flexWrap: 'wrap',
        gap: '4px 16px',
        justifyContent: 'space-between',
      }}
    >
      {children}
    </Box>
  );
}
