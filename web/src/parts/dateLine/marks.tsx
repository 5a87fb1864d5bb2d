import Box from '@mui/material/Box';
import type { SxProps, Theme } from '@mui/material/styles';
import type { ReactNode } from 'react';

const percent = (value: number) => `${value}%`;
const glide = 'left 360ms cubic-bezier(.2,.7,.2,1), width 360ms cubic-bezier(.2,.7,.2,1)';

/** A stretch of the line: the window or excluded days. */
export function Span({ left, width, sx }: { left: number; width: number; sx: SxProps<Theme> }) {
  return (
    <Box
      sx={[{ top: 0, bottom: 0 }, ...(Array.isArray(sx) ? sx : [sx])]}
      style={{ left: percent(left), width: percent(width) }}
    />
  );
}

/** A date the portal showed; teal when the task would take it. */
export function Tick({ left, wanted }: { left: number; wanted: boolean }) {
  return (
    <Box
      sx={{
        width: 2,
        ml: '-1px',
        top: -3,
        bottom: -3,
        borderRadius: '1px',
        bgcolor: wanted ? 'primary.main' : 'text.tertiary',
        opacity: wanted ? 1 : 0.55,
      }}
      style={{ left: percent(left) }}
    />
  );
}

const looks = {
  today: { bgcolor: 'tertiary.main', borderColor: 'background.paper', boxShadow: '0 0 0 1px var(--mui-palette-divider)' },
  best: { bgcolor: 'background.paper', borderColor: 'primary.main', width: 12, height: 12, m: '-6px 0 0 -6px' },
  present: { bgcolor: 'background.paper', borderColor: 'text.primary' },
  new: {
    bgcolor: 'primary.main',
    borderColor: 'background.paper',
    boxShadow: '0 0 0 2px var(--mui-palette-primary-main)',
    width: 16,
    height: 16,
    m: '-8px 0 0 -8px',
  },
  old: { bgcolor: 'background.paper', borderColor: 'control', borderWidth: 2 },
} as const;

/** A ring or dot on the line; it glides when its date changes. */
export function Marker({ kind, left }: { kind: keyof typeof looks; left: number }) {
  return (
    <Box
      sx={{
        width: 14,
        height: 14,
        m: '-7px 0 0 -7px',
        top: '50%',
        borderRadius: '50%',
        border: '3px solid',
        transition: glide,
        boxSizing: 'border-box',
        ...looks[kind],
      }}
      style={{ left: percent(left) }}
    />
  );
}

interface LabelProps {
  left: number;
  top: { xs: number; sm: number };
  children: ReactNode;
  strong?: boolean;
  struck?: boolean;
}

/** Words at a place of the line; shifted by its own share so that it never leaves the line. */
export function Label({ left, top, children, strong, struck }: LabelProps) {
  return (
    <Box
      component="span"
      sx={{
        top,
        fontSize: 12,
        lineHeight: '18px',
        fontWeight: 500,
        color: struck ? 'text.tertiary' : 'text.secondary',
        textDecoration: struck ? 'line-through' : 'none',
        whiteSpace: 'nowrap',
        '& b': { fontWeight: 600, color: strong ? 'primary.ink' : struck ? 'inherit' : 'text.primary' },
      }}
      style={{ left: percent(left), transform: `translateX(-${left}%)` }}
    >
      {children}
    </Box>
  );
}

/** The first of a month, under the line, from 600 px up. */
export function Month({ left, children }: { left: number; children: ReactNode }) {
  return (
    <Box
      component="span"
      sx={{
        display: { xs: 'none', sm: 'inline' },
        top: 14,
        fontSize: 12,
        lineHeight: '16px',
        fontWeight: 500,
        color: 'text.tertiary',
        whiteSpace: 'nowrap',
        transform: 'translateX(-50%)',
      }}
      style={{ left: percent(left) }}
    >
      {children}
    </Box>
  );
}

/** Per cent of the line under which the words of a bracket would stick out of the line's end. */
const NARROW_ARC = 35;

/** The bracket of a move, from the first date to the present one. */
export function Arc({ left, right, children }: { left: number; right: number; children: ReactNode }) {
  const narrow = right - left < NARROW_ARC;
  return (
    <Box
      sx={{
        bottom: 11,
        height: 13,
        border: 2,
        borderBottom: 0,
        borderColor: 'primary.main',
        borderRadius: '12px 12px 0 0',
        '&::before': {
          content: '""',
          position: 'absolute',
          left: -6,
          bottom: -3,
          border: '5px solid transparent',
          borderTop: '6px solid var(--mui-palette-primary-main)',
          borderBottom: 0,
        },
      }}
      style={{ left: percent(left), right: percent(100 - right) }}
    >
      <Box
        component="span"
        sx={{
          position: 'absolute',
          top: -13,
          ...(narrow ? { right: 0 } : { left: '50%', transform: 'translateX(-50%)' }),
          bgcolor: 'background.paper',
          px: 1,
          fontSize: { xs: 12, sm: 13 },
          lineHeight: '22px',
          fontWeight: 600,
          color: 'primary.ink',
          whiteSpace: 'nowrap',
        }}
      >
        {children}
      </Box>
    </Box>
  );
}
