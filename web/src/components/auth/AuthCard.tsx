import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect, useRef } from 'react';
import { usePageTitle } from '../../lib/usePageTitle.ts';

interface Props {
  title: string;
  lead?: ReactNode;
  /** What was focused is gone with the view before: the title takes the focus, so that it is read out. */
  arrived?: boolean;
  children: ReactNode;
}

/** The card the account pages stand on: one title, one line of what it is for, the form. */
export function AuthCard({ title, lead, arrived = false, children }: Props) {
  usePageTitle(title);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (arrived) heading.current?.focus({ preventScroll: true });
  }, [arrived]);
  return (
    <Box sx={{ display: 'grid', placeItems: 'start center', px: 2, py: { xs: 3, md: 8 } }}>
      <Card
        sx={{
          width: '100%',
          maxWidth: 440,
          p: { xs: 2.5, sm: 3.5 },
          boxShadow: { sm: 24 },
        }}
      >
        <Typography variant="h4" component="h1" ref={heading} tabIndex={-1} sx={{ outline: 'none' }}>
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
