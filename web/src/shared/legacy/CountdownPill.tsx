import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import type { ReactNode } from 'react';

interface Props {
  label: ReactNode;
  undoLabel: string;
  leftMs: number;
  totalMs: number;
  small?: boolean;
  onUndo: () => void;
}

/** The 1–3 s before something happens: a pill that fills up, with the way back. */
export function CountdownPill({ label, undoLabel, leftMs, totalMs, small, onUndo }: Props) {
  const done = totalMs > 0 ? 1 - leftMs / totalMs : 0;
  return (
    <Box
      sx={{
        position: 'relative',
        display: 'inline-flex',
        alignItems: 'center',
        gap: 1.25,
        minHeight: small ? 36 : 44,
        pl: 2,
        pr: 0.5,
        borderRadius: '24px',
        bgcolor: 'neutral.soft',
        overflow: 'hidden',
        fontSize: small ? 14 : 15,
        fontWeight: 600,
        whiteSpace: 'nowrap',
        fontVariantNumeric: 'tabular-nums',
      }}
    >
      <Box
        aria-hidden
        sx={{
          position: 'absolute',
          inset: 0,
          transformOrigin: 'left',
          transform: `scaleX(${done})`,
          bgcolor: 'primary.soft2',
          opacity: 0.7,
        }}
      />
      <Box component="span" role="status" sx={{ position: 'relative' }}>
        {label}
      </Box>
      {/* It takes the place of the button that was pressed: by keyboard there are seconds to reach it. */}
      <ButtonBase
        autoFocus
        onClick={onUndo}
        sx={{
          position: 'relative',
          height: small ? 28 : 34,
          px: 1.75,
          borderRadius: '999px',
          bgcolor: 'background.paper',
          color: 'primary.ink',
          fontSize: 14,
          fontWeight: 600,
        }}
      >
        {undoLabel}
      </ButtonBase>
    </Box>
  );
}
