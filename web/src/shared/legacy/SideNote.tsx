import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import type { IconName } from './iconPaths.tsx';

/** A sentence in small print with its icon, on the page's ground. */
export function SideNote({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <Box
      sx={{ display: 'flex', gap: 1, px: 0.5, fontSize: 13, lineHeight: 1.55, color: 'text.secondary', '& > svg': { mt: '2px' } }}
    >
      <Icon name={icon} size={16} />
      <span>{children}</span>
    </Box>
  );
}
