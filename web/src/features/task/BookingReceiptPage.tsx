import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { ApiError } from '../../shared/api/errors.ts';
import { queries } from '../../shared/api/queries.ts';
import { usePageTitle } from '../../shared/hooks/usePageTitle.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { Container } from '../../shared/ui/Layout.tsx';
import { PageSkeleton } from '../../shared/ui/PageSkeleton.tsx';
import { PrintBar } from '../../shared/ui/PrintSheet.tsx';
import layout from './layout.module.css';
import { ReceiptSheet } from './ReceiptSheet.tsx';
import { receipts } from './receipts.ts';

/** Renders /schedule/:id/receipt/:n: a receipt of one booking with its charge, to print or save. */
export function BookingReceiptPage() {
  const { t } = useTranslation();
  const { id = '', n = '' } = useParams();
  const { data: task, isError, error, isFetching, refetch } = useQuery(queries.task(id));
  const receipt = task && receipts(task).find((one) => String(one.n) === n);
  usePageTitle(receipt ? `${t('stub.title')} ${receipt.number}` : t('stub.title'));
  const unknown = error instanceof ApiError && [400, 404, 422].includes(error.status);
  if (!task && !isError) return <PageSkeleton />;
  return (
    <Container className={classes(layout.frame, layout.sheet)}>
      <PrintBar
        to={unknown ? paths.dashboard : paths.task(id)}
        back={unknown ? t('wizard.toDashboard') : t('stub.back')}
        print={receipt && t('stub.print')}
      />
      {task && receipt && <ReceiptSheet task={task} receipt={receipt} />}
      {task && !receipt && (
        <Alert tone="quiet" title={t('stub.missing')}>
          {t('stub.missingText', { n })}
        </Alert>
      )}
      {!task && unknown && (
        <Alert tone="warning" title={t('editor.notFound')}>
          {t('editor.notFoundText')}
        </Alert>
      )}
      {!task && isError && !unknown && (
        <Alert
          tone="error"
          title={t('editor.loadFailed')}
          action={
            <Button variant="secondary" size="small" loading={isFetching} onClick={() => void refetch()}>
              {t('problem.retry')}
            </Button>
          }
        />
      )}
    </Container>
  );
}
