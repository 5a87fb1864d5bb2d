import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Container from '@mui/material/Container';
import Typography from '@mui/material/Typography';
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { usePageTitle } from '../../shared/hooks/usePageTitle.ts';
import { Illustration } from '../../shared/legacy/Illustration.tsx';
import { AuthAside } from './AuthAside.tsx';

interface Props {
  title: string;
  lead?: ReactNode;
  /** What was focused is gone with the view before: the title takes the focus, so that it is read out. */
  arrived?: boolean;
  /** Drawn above the title, where something has happened or is to happen elsewhere. */
  picture?: ComponentProps<typeof Illustration>['name'];
  /** Whom the side beside the card speaks to. */
  aside?: ComponentProps<typeof AuthAside>['kind'];
  children: ReactNode;
}

/** The card the account pages stand on: one title, one line of what it is for, the form; beside it what it is all for. */
export function AuthCard({ title, lead, arrived = false, picture, aside = 'back', children }: Props) {
  usePageTitle(title);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (arrived) heading.current?.focus({ preventScroll: true });
  }, [arrived]);
  return (
    <Container
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 440px)', md: 'minmax(0, 1fr) 440px' },
        justifyContent: 'center',
        alignItems: 'start',
        gap: { md: 8 },
        py: { xs: 3, md: 8 },
      }}
    >
      <AuthAside kind={aside} />
      <Card sx={{ minWidth: 0, p: { xs: 2.5, sm: 3.5 }, boxShadow: { sm: 24 } }}>
        {picture && (
          <Box sx={{ display: 'grid', justifyItems: 'center', mb: 2 }}>
            <Illustration name={picture} width={150} />
          </Box>
        )}
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
    </Container>
  );
}
