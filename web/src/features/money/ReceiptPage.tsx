import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Container from '@mui/material/Container';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { hasCode } from '../../shared/api/errors.ts';
import { queries } from '../../shared/api/queries.ts';
import { usePageTitle } from '../../shared/hooks/usePageTitle.ts';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { PrintBar } from '../../shared/legacy/PrintSheet.tsx';
import { paths } from '../../shared/routing/paths.ts';
import { ReceiptSheet } from './ReceiptSheet.tsx';

/** /balance/receipt/:id: one movement as a receipt, to print or to save. */
export function ReceiptPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const { data, error, isFetching, refetch } = useQuery(queries.receipt(id));
  usePageTitle(data ? `${t('receipt.title')} ${data.number}` : t('receipt.title'));
  const gone = hasCode(error, 'NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_PATH', 'INVALID_QUERY');
  return (
    <Container maxWidth="md" sx={{ py: { xs: 2.5, md: 3.5 } }}>
      <PrintBar to={paths.balance} back={t('receipt.back')} print={data && t('receipt.print')} />
      {data && <ReceiptSheet receipt={data} />}
      {!data && (
        <Typography variant="h3" component="h1" sx={{ mb: 2 }}>
          {t('receipt.title')}
        </Typography>
      )}
      {!data && !error && (
        <Card sx={{ p: 3, display: 'grid', gap: 2 }}>
          <Skeleton variant="rounded" height={36} width="40%" />
          <Skeleton variant="rounded" height={160} />
          <Skeleton variant="rounded" height={120} />
        </Card>
      )}
      {!data &&
        error &&
        (gone ? (
          <Notice tone="quiet" title={t('receipt.notFound')}>
            {t('receipt.notFoundText')}
          </Notice>
        ) : (
          <Notice
            tone="error"
            action={
              <Button variant="outlined" size="small" loading={isFetching} onClick={() => void refetch()}>
                {t('problem.retry')}
              </Button>
            }
          >
            {t('receipt.failed')}
          </Notice>
        ))}
    </Container>
  );
}
