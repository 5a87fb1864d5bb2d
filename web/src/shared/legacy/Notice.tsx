import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import type { IconName } from './iconPaths.tsx';

/** How serious a notice is. */
export type Tone = 'ok' | 'info' | 'warning' | 'error' | 'quiet';

const palette = { ok: 'primary', info: 'info', warning: 'warning', error: 'error', quiet: 'neutral' } as const;
const icons: Record<Tone, IconName> = { ok: 'checkCircle', info: 'info', warning: 'alert', error: 'crossCircle', quiet: 'info' };

interface Props {
  tone: Tone;
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  icon?: IconName;
  live?: 'alert' | 'status';
}

/** A soft block with an icon, one statement and its reason; errors are announced. */
export function Notice({ tone, title, children, action, icon, live }: Props) {
  return (
    <Box
      role={live ?? (tone === 'error' ? 'alert' : undefined)}
      sx={{
        display: 'flex',
        flexWrap: { xs: action ? 'wrap' : 'nowrap', sm: 'nowrap' },
        gap: 1.5,
        alignItems: 'flex-start',
        p: '12px 16px',
        borderRadius: '12px',
        bgcolor: `${palette[tone]}.soft`,
      }}
    >
      <Box sx={{ color: `${palette[tone]}.ink`, mt: '2px' }}>
        <Icon name={icon ?? icons[tone]} />
      </Box>
      <Box sx={{ flex: '1 1 60%', minWidth: 0 }}>
        {title && <Typography sx={{ fontSize: 15, fontWeight: 600, lineHeight: 1.6 }}>{title}</Typography>}
        {children && (
          <Typography component="div" variant="body2" color={title ? 'textSecondary' : 'textPrimary'}>
            {children}
          </Typography>
        )}
      </Box>
      {action && <Box sx={{ ml: { xs: 4, sm: 0 }, alignSelf: 'center', flex: 'none' }}>{action}</Box>}
    </Box>
  );
}
