import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { MOVEMENT_KINDS } from '../../parts/balance/movementKinds.ts';
import type { MovementFilter, MovementKind } from '../../shared/api/money.ts';
import { usePageTitle } from '../../shared/hooks/usePageTitle.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Card } from '../../shared/ui/Card.tsx';
import { Switch } from '../../shared/ui/Checkbox.tsx';
import { Illustration } from '../../shared/ui/Illustration.tsx';
import { Container, Stack } from '../../shared/ui/Layout.tsx';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { CsvButton } from './CsvButton.tsx';
import { RefundCard } from './lazyParts.ts';
import { MovementFilters } from './MovementFilters.tsx';
import styles from './MovementsPage.module.css';
import { MovementTable } from './MovementTable.tsx';
import { filterAt, PAGE_SIZE } from './movementFilter.ts';
import { ledgerQueries } from './queries.ts';

/** Query parameter that shows the amount on hold. */
const HELD = 'held';

/**
 * Returns the kinds for the filter: the kinds that occur in the user's movements, and the chosen
 * kind.
 */
const kindsOf = (occurring: readonly MovementKind[], chosen: MovementKind | undefined) =>
  MOVEMENT_KINDS.filter((kind) => occurring.includes(kind) || kind === chosen);

/**
 * Renders /balance: all movements with the balance after each, in pages. The filter is in the
 * address.
 */
export function MovementsPage() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  usePageTitle(t('movements.title'));
  const filter = filterAt(search);
  const filtered = Object.keys(filter).length > 0;
  const badRange = filter.from !== undefined && filter.to !== undefined && filter.to < filter.from;
  const query = useInfiniteQuery({ ...ledgerQueries.movements(filter, PAGE_SIZE), enabled: !badRange });
  const movements = query.data?.pages.flatMap((page) => page.movements) ?? [];
  // True to show the amount on hold. The address contains the choice.
  const held = search.has(HELD);
  const show = (next: MovementFilter, withHeld: boolean) =>
    setSearch({ ...next, ...(withHeld ? { [HELD]: '1' } : {}) }, { replace: true });
  return (
    <Container className={styles.page}>
      <div className={styles.head}>
        <div className={styles.words}>
          <Text as="h1" variant="h2">
            {t('movements.title')}
          </Text>
          <Text variant="small" color="secondary">
            {t('movements.lead')}
          </Text>
        </div>
        <CsvButton filter={filter} disabled={badRange || movements.length === 0} />
      </div>
      <RefundCard />
      <MovementFilters
        filter={filter}
        kinds={kindsOf(query.data?.pages[0]?.kinds ?? [], filter.kind)}
        onChange={(next) => show(next, held)}
      />
      <Switch
        label={t('movements.showHeld')}
        checked={held}
        onChange={(event) => show(filter, event.target.checked)}
        className={styles.held}
      />
      <Card as="section" aria-label={t('movements.title')} className={styles.list}>
        {query.isPending && !badRange && <Waiting />}
        {query.isError && !query.data && (
          <div className={styles.problem}>
            <Alert
              tone="error"
              action={
                <Button variant="secondary" size="small" loading={query.isFetching} onClick={() => void query.refetch()}>
                  {t('problem.retry')}
                </Button>
              }
            >
              {t('movements.failed')}
            </Alert>
          </div>
        )}
        {query.data && movements.length > 0 && <MovementTable movements={movements} held={held} />}
        {badRange && <Nothing title={t('movements.badRange')}>{t('movements.emptyFilteredText')}</Nothing>}
        {query.data && movements.length === 0 && !badRange && (
          <Nothing title={filtered ? t('movements.emptyFiltered') : t('movements.empty')}>
            {filtered ? t('movements.emptyFilteredText') : t('movements.emptyText')}
          </Nothing>
        )}
        {movements.length > 0 && (
          <div className={styles.foot}>
            {query.hasNextPage ? (
              <Button variant="secondary" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {t('movements.older')}
              </Button>
            ) : (
              <Text variant="caption" color="secondary">
                {t('movements.end')}
              </Text>
            )}
          </div>
        )}
      </Card>
    </Container>
  );
}

function Nothing({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div role="status" className={styles.nothing}>
      <Illustration name="sheet" />
      <Text variant="h3">{title}</Text>
      <Text variant="small" color="secondary">
        {children}
      </Text>
    </div>
  );
}

function Waiting() {
  return (
    <Stack gap={3} className={styles.problem}>
      {Array.from({ length: 6 }, (_, row) => (
        <Skeleton key={row} kind="control" />
      ))}
    </Stack>
  );
}
