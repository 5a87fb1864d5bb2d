import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { storedReturnPath } from '../../parts/balance/paymentReturn.ts';
import { settled } from '../../parts/balance/paymentStatus.ts';
import { hasCode } from '../../shared/api/errors.ts';
import type { CardPayment } from '../../shared/api/money.ts';
import { refreshMoney } from '../../shared/api/queries.ts';
import { usePageTitle } from '../../shared/hooks/usePageTitle.ts';
import { amount } from '../../shared/i18n/format.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Container, Row, Stack } from '../../shared/ui/Layout.tsx';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './Receipt.module.css';

/**
 * Query parameter with the payment's id, which the provider adds to the return address. The
 * document's first script removes its other parameters (shell.js).
 */
const ID = 'payment_intent';

interface Outcome {
  tone: 'ok' | 'info' | 'warning' | 'error';
  title: TextKey;
  text: TextKey;
}

const done: Outcome = { tone: 'ok', title: 'payment.done', text: 'payment.doneText' };
const processing: Outcome = { tone: 'info', title: 'payment.processing', text: 'payment.processingText' };
const failed: Outcome = { tone: 'error', title: 'payment.failed', text: 'payment.failedText' };
const open: Outcome = { tone: 'warning', title: 'payment.open', text: 'payment.openText' };
const unknown: Outcome = { tone: 'warning', title: 'payment.unknown', text: 'payment.unknownText' };
const lost: Outcome = { tone: 'warning', title: 'payment.lost', text: 'payment.lostText' };

/** Returns the texts for the state of a payment. */
export function outcomeOf({ status, credited }: CardPayment): Outcome {
  if (credited) return done;
  if (status === 'succeeded' || status === 'processing') return processing;
  return status === 'requires_payment_method' || status === 'canceled' ? failed : open;
}

/**
 * Renders /balance/payment, to which the provider's page returns. It shows the state of the payment
 * at our server.
 */
export function PaymentPage() {
  const { t } = useTranslation();
  const [search] = useSearchParams();
  const id = search.get(ID) ?? '';
  const back = storedReturnPath() ?? paths.dashboard;
  usePageTitle(t('payment.title'));
  const query = useQuery({
    queryKey: ['payment', id],
    queryFn: async ({ signal }) => {
      const payment = await settled(id, () => !signal.aborted);
      refreshMoney();
      return payment;
    },
    enabled: id !== '',
    retry: false,
  });
  const missing = id === '' || hasCode(query.error, 'NOT_FOUND');
  const outcome = query.data ? outcomeOf(query.data) : missing ? unknown : query.isError ? lost : null;
  const values = query.data && { amount: amount(query.data.amount), currency: query.data.currency.toUpperCase() };
  const unsure = outcome === processing || outcome === open || outcome === lost;
  return (
    <Container className={styles.page}>
      <Stack>
        <Text as="h1" variant="h2">
          {t('payment.title')}
        </Text>
        <div role="status">
          {outcome ? (
            <Alert tone={outcome.tone} title={t(outcome.title)}>
              {t(outcome.text, values ?? {})}
            </Alert>
          ) : (
            <Stack gap={2}>
              <Text>{t('payment.checking')}</Text>
              <Skeleton kind="block" />
            </Stack>
          )}
        </div>
        <Row>
          <ButtonLink render={<Link to={back} />}>{t('payment.back')}</ButtonLink>
          {unsure && (
            <Button variant="secondary" loading={query.isFetching} onClick={() => void query.refetch()}>
              {t('payment.again')}
            </Button>
          )}
          <ButtonLink variant="text" render={<Link to={paths.balance} />}>
            {t('payment.toBalance')}
          </ButtonLink>
        </Row>
      </Stack>
    </Container>
  );
}
