import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

interface Props {
  label: ReactNode;
  value: ReactNode;
  /** What there is to say, in pieces that stay on a line each. */
  notes?: (ReactNode | false | null | undefined)[];
  children?: ReactNode;
}

/** One line of the status panel: what, how it is, and what there is to say or to show about it. */
export function SystemRow({ label, value, notes = [], children }: Props) {
  const said = notes.filter(Boolean);
  return (
    <Box sx={{ py: 1.5, borderTop: 1, borderColor: 'divider', fontSize: 14, '&:first-of-type': { borderTop: 0, pt: 0.5 } }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', gap: '2px 12px' }}>
        <span>{label}</span>
        <Box component="span" sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
          {value}
        </Box>
      </Box>
      {children}
      {said.length > 0 && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 0.75, mt: 0.25, fontSize: 13, color: 'text.tertiary' }}>
          {said.map((note, at) => (
            <span key={at}>
              {note}
              {at < said.length - 1 && ' ·'}
            </span>
          ))}
        </Box>
      )}
    </Box>
  );
}

/** How much of a limit is used, as a bar under its figures. */
export function UseBar({ used, limit }: { used: number; limit: number }) {
  const share = limit > 0 ? Math.min(1, used / limit) : 0;
  return (
    <Box aria-hidden sx={{ height: 6, mt: 1, borderRadius: '3px', bgcolor: 'background.track', overflow: 'hidden' }}>
      <Box sx={{ width: `${share * 100}%`, height: 1, borderRadius: '3px', bgcolor: 'primary.main' }} />
    </Box>
  );
}
