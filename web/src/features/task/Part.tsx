import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { CardHeader } from '../../shared/legacy/CardHeader.tsx';
import type { IconName } from '../../shared/legacy/iconPaths.tsx';
import { Notice } from '../../shared/legacy/Notice.tsx';

interface Props {
  icon?: IconName;
  title: ReactNode;
  /** Stands at the right of the title. */
  mark?: ReactNode;
  children: ReactNode;
  /** The last line, under a hairline. */
  foot?: ReactNode;
}

/** One card of the page: its heading names the region. */
export function Part({ icon, title, mark, children, foot }: Props) {
  const id = useId();
  return (
    <Card component="section" aria-labelledby={id} sx={{ display: 'flex', flexDirection: 'column', minWidth: 0 }}>
      <CardHeader icon={icon} title={title} id={id}>
        {mark}
      </CardHeader>
      <Box sx={{ flex: 1, minWidth: 0, p: { xs: '8px 16px 16px', sm: '8px 20px 20px' } }}>{children}</Box>
      {foot && (
        <Box sx={{ borderTop: 1, borderColor: 'divider', p: { xs: '8px 16px', sm: '8px 20px' }, fontSize: 14 }}>{foot}</Box>
      )}
    </Card>
  );
}

/** What can be asked for again. */
interface Asked<T> {
  data: T | undefined;
  isError: boolean;
  isFetching: boolean;
  refetch: () => unknown;
}

/** A part's data, its skeleton while it is on the way, or a second try of its own when it failed. */
export function Ready<T>({
  query,
  skeleton,
  children,
}: {
  query: Asked<T>;
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
}) {
  const { t } = useTranslation();
  const { data, isError, isFetching, refetch } = query;
  if (data !== undefined) return children(data);
  if (!isError || isFetching)
    return (
      <Box role="status" aria-label={t('settings.loading')}>
        {skeleton}
      </Box>
    );
  return (
    <Notice
      tone="error"
      action={
        <Button variant="outlined" size="small" onClick={() => void refetch()}>
          {t('problem.retry')}
        </Button>
      }
    >
      {t('detail.partFailed')}
    </Notice>
  );
}

/** Rows on the way. */
export function Rows({ count, height = 40 }: { count: number; height?: number }) {
  return (
    <Box aria-hidden sx={{ display: 'grid', gap: 1.5 }}>
      {Array.from({ length: count }, (_, row) => (
        <Skeleton key={row} variant="rounded" height={height} />
      ))}
    </Box>
  );
}

/** A list of terms in two columns. */
export function Terms({ rows }: { rows: { term: ReactNode; value: ReactNode }[] }) {
  return (
    <Box
      component="dl"
      sx={{
        display: 'grid',
        gridTemplateColumns: 'auto minmax(0,1fr)',
        gap: '6px 16px',
        fontSize: 14,
        lineHeight: 1.6,
        alignItems: 'baseline',
        '& dt': { color: 'text.tertiary', whiteSpace: 'nowrap', '&::first-letter': { textTransform: 'uppercase' } },
        '& dd': { minWidth: 0, overflowWrap: 'anywhere' },
      }}
    >
      {rows.map((row, index) => (
        <Box key={index} sx={{ display: 'contents' }}>
          <dt>{row.term}</dt>
          <dd>{row.value}</dd>
        </Box>
      ))}
    </Box>
  );
}
