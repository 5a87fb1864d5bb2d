import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';

/** One question of the editor: a heading, a remark at its right, the controls. */
export function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <Box
      component="section"
      aria-labelledby={id}
      sx={{ p: { xs: 2, md: '20px 24px 24px' }, '& + &': { borderTop: 1, borderColor: 'divider' } }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: '0 16px', alignItems: 'baseline', mb: 1.75 }}>
        <Typography id={id} component="h2" sx={{ fontSize: 17, fontWeight: 600, lineHeight: 1.5, flex: '1 1 auto' }}>
          {title}
        </Typography>
        {aside && (
          <Typography component="div" variant="body2" color="textSecondary">
            {aside}
          </Typography>
        )}
      </Box>
      {children}
    </Box>
  );
}
