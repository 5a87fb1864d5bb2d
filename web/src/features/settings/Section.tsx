import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Words } from '../../shared/i18n/words.ts';
import { CardHeader } from '../../shared/legacy/CardHeader.tsx';
import type { IconName } from '../../shared/legacy/iconPaths.tsx';
import { Notice } from '../../shared/legacy/Notice.tsx';

const SLOW_MS = 4_000;

interface Props {
  id: string;
  icon: IconName;
  title: string;
  text?: ReactNode;
  /** Stands at the right of the title. */
  mark?: ReactNode;
  children?: ReactNode;
}

/** The address names the section someone works in, so that a way round by Google leads back to it. */
function nameSection(id: string): void {
  if (window.location.hash !== `#${id}`) window.history.replaceState(window.history.state, '', `#${id}`);
}

/** One section of the settings: a card with its title, what it is for, and its rows. */
export function Section({ id, icon, title, text, mark, children }: Props) {
  return (
    <Card
      component="section"
      id={id}
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      onFocusCapture={() => nameSection(id)}
      sx={{ scrollMarginTop: '24px', '&:focus': { outline: 'none' } }}
    >
      <CardHeader icon={icon} title={title} id={`${id}-title`}>
        {mark}
      </CardHeader>
      <Box sx={{ display: 'grid', gap: 2, minWidth: 0, p: { xs: '4px 16px 16px', sm: '4px 20px 20px' } }}>
        {text && (
          <Typography variant="body2" color="textSecondary">
            {text}
          </Typography>
        )}
        {children}
      </Box>
    </Card>
  );
}

/** What a section shows of data that is on the way: skeleton rows, a word when it takes long, a second try when it failed. */
export function Loaded<T>({
  query,
  rows,
  failed = 'settings.loadFailed',
  children,
}: {
  query: Pick<UseQueryResult<T>, 'data' | 'isError' | 'isFetching' | 'refetch'>;
  rows: number;
  /** The words where it could not be loaded. */
  failed?: Words;
  children: (data: T) => ReactNode;
}) {
  const { t } = useTranslation();
  const { data, isError, isFetching, refetch } = query;
  if (data !== undefined) return children(data);
  if (isError && !isFetching)
    return (
      <Notice
        tone="error"
        action={
          <Button variant="outlined" size="small" onClick={() => void refetch()}>
            {t('problem.retry')}
          </Button>
        }
      >
        {t(failed) as string}
      </Notice>
    );
  return <Waiting rows={rows} />;
}

function Waiting({ rows }: { rows: number }) {
  const { t } = useTranslation();
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} variant="rounded" height={44} aria-hidden />
      ))}
      <Typography
        variant="caption"
        color="textSecondary"
        role="status"
        sx={slow ? undefined : { position: 'absolute', clipPath: 'inset(50%)', width: '1px', height: '1px', overflow: 'hidden' }}
      >
        {slow ? t('settings.slow') : t('settings.loading')}
      </Typography>
    </Box>
  );
}

interface RowProps {
  children: ReactNode;
  actions?: ReactNode;
  /** Where the words would get narrower than this (px), the actions go below. */
  minWidth?: number;
}

/** A row of a section: what it says, and what can be done; rows are parted by hairlines. */
export function Row({ children, actions, minWidth = 220 }: RowProps) {
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: '8px 16px',
        '& + &': { borderTop: 1, borderColor: 'divider', pt: 2 },
      }}
    >
      <Box sx={{ flex: `1 1 ${minWidth}px`, minWidth: 0 }}>{children}</Box>
      {actions && <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, flex: 'none', maxWidth: '100%' }}>{actions}</Box>}
    </Box>
  );
}
