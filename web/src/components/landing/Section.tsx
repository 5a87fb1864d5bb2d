import Box from '@mui/material/Box';
import Container from '@mui/material/Container';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

interface Props {
  /** The anchor that the header's links lead to, and what the heading is called by. */
  id: string;
  title: ReactNode;
  lead?: ReactNode;
  /** White with hairlines instead of the page's ground. */
  paper?: boolean;
  children: ReactNode;
}

/** One band of the landing: heading, lead, and 112 px of air around (48 on a phone). */
export function Section({ id, title, lead, paper = false, children }: Props) {
  return (
    <Box
      component="section"
      id={id}
      aria-labelledby={`${id}-title`}
      sx={{
        py: { xs: 6, md: 14 },
        scrollMarginTop: '56px',
        ...(paper && { bgcolor: 'background.paper', borderBlock: 1, borderColor: 'divider' }),
      }}
    >
      <Container>
        <Typography variant="h2" id={`${id}-title`}>
          {title}
        </Typography>
        {lead && (
          <Typography variant="lead" component="p" color="textSecondary" sx={{ mt: 1, maxWidth: '38em' }}>
            {lead}
          </Typography>
        )}
        <Box sx={{ mt: { xs: 3.5, md: 6 } }}>{children}</Box>
      </Container>
    </Box>
  );
}
