import Container from '@mui/material/Container';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

interface Props {
  /** The anchor that the header's links lead to, and what the heading is called by. */
  id: string;
  title: string;
  lead?: ReactNode;
  /** White with hairlines instead of the page's ground. */
  paper?: boolean;
  /** The band above has air enough for both. */
  close?: boolean;
  children: ReactNode;
}

const Band = styled('section')(({ theme: { vars, breakpoints, spacing } }) => ({
  padding: spacing(7, 0),
  scrollMarginTop: 56,
  [breakpoints.up('md')]: { padding: spacing(14, 0) },
  '&.paper': { background: vars.palette.background.paper, borderBlock: `1px solid ${vars.palette.divider}` },
  '&.close': { paddingTop: 0 },
  '& h2 span': { display: 'inline-block' },
  '& h2 + p': { marginTop: 8, maxWidth: '38em', textWrap: 'balance' },
  '& .body': { marginTop: 28, [breakpoints.up('md')]: { marginTop: 48 } },
}));

/** A Chinese heading breaks after its comma or not at all. */
export function phrases(title: string): ReactNode {
  const parts = title.split(/(?<=，)/);
  return parts.length > 1 ? parts.map((part) => <span key={part}>{part}</span>) : title;
}

/** One band of the landing: heading, lead, and 112 px of air around (56 on a phone). */
export function Section({ id, title, lead, paper = false, close = false, children }: Props) {
  return (
    <Band id={id} aria-labelledby={`${id}-title`} className={paper ? 'paper' : close ? 'close' : undefined}>
      <Container>
        <Typography variant="h2" id={`${id}-title`}>
          {phrases(title)}
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
