import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { hasCode } from '../../shared/api/errors.ts';
import { usePageTitle } from '../../shared/hooks/usePageTitle.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Card } from '../../shared/ui/Card.tsx';
import { Container } from '../../shared/ui/Layout.tsx';
import { PrintBar } from '../../shared/ui/PrintSheet.tsx';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { paperTexts } from './papers.ts';
import { ledgerQueries } from './queries.ts';
import styles from './Receipt.module.css';
import { ReceiptSheet } from './ReceiptSheet.tsx';

/** Renders /balance/receipt/:id: a receipt of one movement, to print or save. */
export function ReceiptPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const { data, error, isFetching, refetch } = useQuery(ledgerQueries.receipt(id));
  usePageTitle(data ? `${t(paperTexts(data.kind).title)} ${data.number}` : t('receipt.title'));
  const gone = hasCode(error, 'NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_PATH', 'INVALID_QUERY');
  return (
    <Container className={styles.page}>
      <PrintBar to={paths.balance} back={t('receipt.back')} print={data && t('receipt.print')} />
      {data && <ReceiptSheet receipt={data} />}
      {!data && (
        <Text as="h1" variant="h2" className={styles.title}>
          {t('receipt.title')}
        </Text>
      )}
      {!data &&
        (!error ? (
          <Card className={styles.waiting}>
            <Skeleton kind="control" className={styles.waitingTitle} />
            <Skeleton kind="block" />
            <Skeleton kind="block" />
          </Card>
        ) : gone ? (
          <Alert tone="quiet" title={t('receipt.notFound')}>
            {t('receipt.notFoundText')}
          </Alert>
        ) : (
          <Alert
            tone="error"
            action={
              <Button variant="secondary" size="small" loading={isFetching} onClick={() => void refetch()}>
                {t('problem.retry')}
              </Button>
            }
          >
            {t('receipt.failed')}
          </Alert>
        ))}
    </Container>
  );
}
