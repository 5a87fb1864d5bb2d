import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import type { IconName } from './iconPaths.tsx';

/** A card's first line: icon, title, and what stands at its right. */
export function CardHeader({
  icon,
  title,
  id,
  children,
}: {
  icon?: IconName;
  title: ReactNode;
  id?: string;
  children?: ReactNode;
}) {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.25, minHeight: 54, p: { xs: '16px 16px 0', sm: '18px 20px 0' } }}>
      {icon && <Icon name={icon} />}
      <Typography variant="h6" component="h2" id={id} sx={{ flex: 1, minWidth: 0 }}>
        {title}
      </Typography>
      {children}
    </Box>
  );
}
