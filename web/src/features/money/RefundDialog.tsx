import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readAmount } from '../../parts/balance/cardAmount.ts';
import { answer, client, idempotent } from '../../shared/api/client.ts';
import { hasCode, STEP_UP_DECLINED } from '../../shared/api/errors.ts';
import type { Refunds } from '../../shared/api/money.ts';
import { queries, queryClient, refreshMoney } from '../../shared/api/queries.ts';
import { randomKey } from '../../shared/browser/randomKey.ts';
import { amount, instantParts, unbroken } from '../../shared/i18n/format.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Dialog } from '../../shared/ui/Dialog.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';
import { NoWrap, Text } from '../../shared/ui/Text.tsx';
import { TextField } from '../../shared/ui/TextField.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import styles from './Refunds.module.css';
import { refundSplit } from './refundSplit.ts';

const CENT = 0.01;

interface Props {
  offer: Refunds;
  onClose: () => void;
}

/** Renders the dialog that orders a refund. It shows which payments will be refunded. */
export function RefundDialog({ offer, onClose }: Props) {
  const { t } = useTranslation();
  const { refundable, currency } = offer;
  const [typed, setTyped] = useState(refundable.toFixed(2));
  const [wrong, setWrong] = useState(false);
  // Idempotency key of the order. Another amount gets another key.
  const [key, setKey] = useState(randomKey);
  const { value } = readAmount(typed, { min_amount: CENT, max_amount: refundable });
  const order = useMutation({
    mutationFn: (wanted: number) =>
      answer(client.POST('/payment/refunds', { body: { amount: wanted }, params: idempotent(key) })),
    onSuccess: (after) => {
      queryClient.setQueryData(queries.refunds().queryKey, after);
      refreshMoney();
      toast.success(t('refund.asked'));
      onClose();
    },
    // The refund may have been ordered even if no response arrived.
    onError: () => {
      refreshMoney();
      void queryClient.invalidateQueries({ queryKey: queries.refunds().queryKey });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setWrong(value === null);
    if (value !== null) order.mutate(value);
  };
  const changed = hasCode(order.error, 'BALANCE_CHANGED');
  return (
    <Dialog
      open
      onClose={onClose}
      locked={order.isPending}
      title={t('refund.dialogTitle')}
      onSubmit={submit}
      actions={
        <>
          <Button variant="ghost" disabled={order.isPending} onClick={onClose}>
            {t('refund.cancel')}
          </Button>
          <Button type="submit" loading={order.isPending}>
            {value === null ? t('refund.button') : t('refund.send', { amount: amount(value), currency })}
          </Button>
        </>
      }
    >
      <Stack>
        {changed && (
          <Alert tone="warning" live="alert">
            {t('refund.changed', { amount: amount(refundable), currency })}
          </Alert>
        )}
        {!changed && !hasCode(order.error, STEP_UP_DECLINED) && <Problem error={order.error} fallback="refund.failed" />}
        <TextField
          label={t('refund.amount')}
          autoComplete="off"
          inputMode="decimal"
          maxLength={12}
          end={
            <Text as="span" variant="small" color="secondary" unbroken className={styles.unit}>
              {currency}
            </Text>
          }
          disabled={order.isPending}
          value={typed}
          hint={t('refund.most', { amount: amount(refundable), currency })}
          error={wrong ? t('refund.wrong', { amount: amount(refundable), currency }) : undefined}
          onChange={(event) => {
            setTyped(event.target.value);
            setWrong(false);
            setKey(randomKey());
          }}
        />
        {value !== null && (
          <div>
            <Text variant="label">{t('refund.goesTo')}</Text>
            <ul className={styles.parts}>
              {refundSplit(value, offer.payments).map((part) => (
                <li key={part.payment}>
                  <span>{t('refund.payment', { date: unbroken(instantParts(part.paid_at).date), paid: amount(part.paid) })}</span>
                  <NoWrap>{t('unit.cad', { amount: amount(part.amount), currency })}</NoWrap>
                </li>
              ))}
            </ul>
          </div>
        )}
        <Text variant="small" color="secondary">
          {t('refund.means')}
        </Text>
      </Stack>
    </Dialog>
  );
}
