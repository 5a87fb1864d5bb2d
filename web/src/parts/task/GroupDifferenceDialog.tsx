import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useBilling } from '../../shared/api/billing.ts';
import { answer, client, idempotent } from '../../shared/api/client.ts';
import { hasCode, NETWORK_ERROR } from '../../shared/api/errors.ts';
import { cents, type Shortage } from '../../shared/api/pricing.ts';
import { queries, queryClient, refreshMoney } from '../../shared/api/queries.ts';
import { ofTask } from '../../shared/api/tasks.ts';
import type { Task } from '../../shared/api/types.ts';
import { randomKey } from '../../shared/browser/randomKey.ts';
import { errorText } from '../../shared/format/errorText.ts';
import { amount } from '../../shared/i18n/format.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Dialog } from '../../shared/ui/Dialog.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import { AfterCharge } from '../balance/AfterCharge.tsx';
import { InsufficientDialog } from '../balance/InsufficientDialog.tsx';
import styles from './GroupDifferenceDialog.module.css';

/** Payload of a response that refuses the accepted price, because it has changed. */
interface ChangedPrice {
  difference: number | null;
  cost_details?: { applicants_count: number };
}

/**
 * Returns a mutation that accepts the price of a group whose applicants have changed. Each amount
 * has its own idempotency key.
 */
function useAccept(task: Task, onDone: () => void) {
  const { t } = useTranslation();
  const key = useRef({ total: Number.NaN, key: '' });
  return useMutation({
    mutationFn: (total: number) => {
      if (key.current.total !== total) key.current = { total, key: randomKey() };
      const params = { ...ofTask(task.id), ...idempotent(key.current.key) };
      return answer(client.POST('/schedules/{id}/accept-group', { params, body: { expected_total: total } }));
    },
    onError: (error) => {
      if (!hasCode(error, NETWORK_ERROR)) key.current = { total: Number.NaN, key: '' };
    },
    onSuccess: () => {
      refreshMoney();
      for (const name of ['tasks', 'task', 'stats']) void queryClient.invalidateQueries({ queryKey: [name] });
      toast.success(t('group.done'));
      onDone();
    },
  });
}

/**
 * Renders the dialog for a group whose size has changed since it was priced: the old size, the new
 * size, and the price difference. After the user accepts it, the task continues.
 */
export function GroupDifferenceDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const { t } = useTranslation();
  const billing = useBilling();
  const { data: credit } = useQuery(queries.credit());
  const accept = useAccept(task, onClose);
  const { difference, currency } = task.price;
  if (!difference) return null;
  const names = { [task.id]: (task.appointments[0]?.applicant_names ?? []).join(', ') };
  const short = hasCode(accept.error, 'INSUFFICIENT_CREDIT') ? (accept.error.data as Shortage | null) : null;
  // If the difference has changed again, the new one is shown.
  const changed = hasCode(accept.error, 'PRICE_CHANGED') ? (accept.error.data as ChangedPrice | null) : null;
  const total = billing ? (changed?.difference ?? difference.amount) : 0;
  const applicants = changed?.cost_details?.applicants_count ?? difference.applicants_now;
  if (short)
    return (
      <InsufficientDialog
        shortage={short}
        cost={null}
        names={names}
        onClose={onClose}
        onResume={() => accept.mutate(accept.variables ?? total)}
      />
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('group.title')}
      actions={
        <>
          <Button variant="ghost" onClick={onClose}>
            {t('submit.later')}
          </Button>
          <Button loading={accept.isPending} onClick={() => accept.mutate(total)}>
            {total > 0 ? t('group.agree', { amount: amount(total), currency }) : t('group.agreeFree')}
          </Button>
        </>
      }
    >
      <Stack>
        <Text variant="small">{t('group.text')}</Text>
        <dl className={styles.sums}>
          <dt>{t('group.priced')}</dt>
          <dd>{t('unit.applicants', { count: difference.applicants_priced })}</dd>
          <dt>{t('group.now')}</dt>
          <dd>{t('unit.applicants', { count: applicants })}</dd>
          {billing && (
            <>
              <dt className={styles.total}>{total < 0 ? t('group.back') : t('group.difference')}</dt>
              <dd className={styles.total}>{t('unit.cad', { amount: amount(Math.abs(total)), currency })}</dd>
            </>
          )}
        </dl>
        {credit && total !== 0 && (
          <AfterCharge before={credit.credit} after={cents(credit.credit - total)} currency={currency} rehearsal />
        )}
        {accept.isError && (
          <Alert tone={changed ? 'warning' : 'error'} live="alert">
            {changed ? t('group.moved') : t(errorText(accept.error, 'problem.generic'))}
          </Alert>
        )}
        {billing && (
          <Text variant="caption" color="secondary">
            {t('group.promise')}
          </Text>
        )}
      </Stack>
    </Dialog>
  );
}
