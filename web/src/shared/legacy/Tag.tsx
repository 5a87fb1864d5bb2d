import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import type { IconName } from './iconPaths.tsx';

const grounds = {
  ok: { bgcolor: 'primary.soft', color: 'primary.ink' },
  warn: { bgcolor: 'warning.soft', color: 'warning.ink' },
  err: { bgcolor: 'error.soft', color: 'error.ink' },
  errSolid: { bgcolor: 'error.ink', color: 'background.paper' },
  info: { bgcolor: 'info.soft', color: 'info.ink' },
  quiet: { bgcolor: 'neutral.soft', color: 'neutral.ink' },
  line: { color: 'text.secondary', boxShadow: 'inset 0 0 0 1px var(--mui-palette-divider)' },
} as const;

/** A small chip: a word with an icon or a ground of its tone, never colour alone. */
export function Tag({ tone, icon, children }: { tone: keyof typeof grounds; icon?: IconName; children: ReactNode }) {
  return (
    <Box
      component="span"
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: 0.5,
        minHeight: 22,
        px: 1,
        borderRadius: '999px',
        fontSize: 12,
        fontWeight: 500,
        lineHeight: 1.3,
        whiteSpace: 'nowrap',
        ...grounds[tone],
      }}
    >
      {icon && <Icon name={icon} size={14} />}
      {children}
    </Box>
  );
}
