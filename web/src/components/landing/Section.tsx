import Container from '@mui/material/Container';
import { styled } from '@mui/material/styles';
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

const Band = styled('section')(({ theme: { vars, breakpoints, spacing } }) => ({
  padding: spacing(7, 0),
  scrollMarginTop: 56,
  [breakpoints.up('md')]: { padding: spacing(14, 0) },
  '&.paper': { background: vars.palette.background.paper, borderBlock: `1px solid ${vars.palette.divider}` },
  '& h2 + p': { marginTop: 8, maxWidth: '38em' },
  '& .body': { marginTop: 28, [breakpoints.up('md')]: { marginTop: 48 } },
}));

/** One band of the landing: heading, lead, and 112 px of air around (56 on a phone). */
export function Section({ id, title, lead, paper = false, children }: Props) {
  return (
    <Band id={id} aria-labelledby={`${id}-title`} className={paper ? 'paper' : undefined}>
      <Container>
        <Typography variant="h2" id={`${id}-title`}>
          {title}
        </Typography>
        {lead && (
          <Typography variant="lead" component="p" color="textSecondary">
            {lead}
          </Typography>
        )}
        <div className="body">{children}</div>
      </Container>
    </Band>
  );
}
