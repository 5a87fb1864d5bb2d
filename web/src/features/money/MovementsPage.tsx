import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Container from '@mui/material/Container';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { readKind } from '../../parts/balance/movements.ts';
import type { MovementFilter } from '../../shared/api/money.ts';
import { queries } from '../../shared/api/queries.ts';
import { usePageTitle } from '../../shared/hooks/usePageTitle.ts';
import { Illustration } from '../../shared/legacy/Illustration.tsx';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { CsvButton } from './CsvButton.tsx';
import { MovementFilters } from './MovementFilters.tsx';
import { MovementTable } from './MovementTable.tsx';

const PAGE_SIZE = 20;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The filter as the address has it; what is no kind or day is left out. */
function filterOf(search: URLSearchParams): MovementFilter {
  const kind = readKind(search.get('kind'));
  const day = (name: string) => {
    const text = search.get(name) ?? '';
    return DAY.test(text) ? text : undefined;
  };
  const from = day('from');
  const to = day('to');
  return { ...(kind ? { kind } : {}), ...(from ? { from } : {}), ...(to ? { to } : {}) };
}

/** /balance: every movement with the balance after it, filtered by the address, page by page. */
export function MovementsPage() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  usePageTitle(t('movements.title'));
  const filter = filterOf(search);
  const filtered = Object.keys(filter).length > 0;
  const badRange = filter.from !== undefined && filter.to !== undefined && filter.to < filter.from;
  const query = useInfiniteQuery({ ...queries.movements(filter, PAGE_SIZE), enabled: !badRange });
  const movements = query.data?.pages.flatMap((page) => page.movements) ?? [];
  const change = (next: MovementFilter) => setSearch({ ...next }, { replace: true });
  return (
    <Container sx={{ py: { xs: 2.5, md: 3.5 } }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'end', mb: 2.5 }}>
        <Box sx={{ flex: '1 1 280px' }}>
          <Typography variant="h3" component="h1">
            {t('movements.title')}
          </Typography>
          <Typography variant="body2" color="textSecondary" sx={{ mt: 0.25 }}>
            {t('movements.lead')}
          </Typography>
        </Box>
        <CsvButton filter={filter} disabled={badRange || movements.length === 0} />
      </Box>
      <MovementFilters filter={filter} badRange={badRange} onChange={change} />
      <Card component="section" aria-label={t('movements.title')} sx={{ mt: 2 }}>
        {query.isPending && !badRange && <Waiting />}
        {query.isError && !query.data && (
          <Box sx={{ p: 2 }}>
            <Notice
              tone="error"
              action={
                <Button variant="outlined" size="small" loading={query.isFetching} onClick={() => void query.refetch()}>
                  {t('problem.retry')}
                </Button>
              }
            >
              {t('movements.failed')}
            </Notice>
          </Box>
        )}
        {query.data && movements.length > 0 && <MovementTable movements={movements} />}
        {(badRange || (query.data && movements.length === 0)) && (
          <Box
            sx={{ p: { xs: '40px 16px', sm: '56px 24px' }, display: 'grid', justifyItems: 'center', textAlign: 'center' }}
            role="status"
          >
            <Illustration name="sheet" />
            <Typography variant="h5" component="p" sx={{ mt: 1.5 }}>
              {filtered ? t('movements.emptyFiltered') : t('movements.empty')}
            </Typography>
            <Typography variant="body2" color="textSecondary">
              {filtered ? t('movements.emptyFilteredText') : t('movements.emptyText')}
            </Typography>
          </Box>
        )}
        {movements.length > 0 && (
          <Box sx={{ p: 2, borderTop: 1, borderColor: 'divider', textAlign: 'center' }}>
            {query.hasNextPage ? (
              <Button variant="outlined" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {t('movements.older')}
              </Button>
            ) : (
              <Typography variant="caption" color="textSecondary">
                {t('movements.end')}
              </Typography>
            )}
          </Box>
        )}
      </Card>
    </Container>
  );
}

function Waiting() {
  return (
    <Box sx={{ p: 2, display: 'grid', gap: 1.5 }}>
      {Array.from({ length: 6 }, (_, row) => (
        <Skeleton key={row} variant="rounded" height={44} aria-hidden />
      ))}
    </Box>
  );
}
