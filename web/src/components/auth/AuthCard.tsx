import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { usePageTitle } from '../../lib/usePageTitle.ts';

/** The card the account pages stand on: one title, one line of what it is for, the form. */
export function AuthCard({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  usePageTitle(title);
  return (
    <Box sx={{ display: 'grid', placeItems: 'start center', px: 2, py: { xs: 3, md: 8 } }}>
      <Card
        sx={{
          width: '100%',
          maxWidth: 440,
          p: { xs: 2.5, sm: 3.5 },
          boxShadow: { sm: '0 2px 6px rgba(58,48,30,.05), 0 28px 64px -24px rgba(58,48,30,.26)' },
        }}
      >
        <Typography variant="h4" component="h1">
          {title}
        </Typography>
        {lead && (
          <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5 }}>
            {lead}
          </Typography>
        )}
        <Box sx={{ mt: 2.5 }}>{children}</Box>
      </Card>
    </Box>
  );
}
