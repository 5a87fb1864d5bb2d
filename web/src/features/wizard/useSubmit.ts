import { useMutation } from '@tanstack/react-query';
import { answer, client, idempotent } from '../../shared/api/client.ts';
import { ApiError, hasCode } from '../../shared/api/errors.ts';
import { queryClient } from '../../shared/api/queries.ts';
import { asTask, type SubmitAnswer } from '../../shared/api/types.ts';
import { forgetOrder, orderKey } from './orderKey.ts';
import { setPriceCode } from './priceCodes.ts';

interface SubmitInput {
  ids: string[];
  notifyOnly: boolean;
  expectedTotal: number | undefined;
  codes: { promo_code?: string; referral_code?: string };
}

/**
 * Returns whether the server has answered the order. If not, a repetition must use the same key.
 */
const isDefinite = (error: unknown) =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.code !== 'IDEMPOTENCY_IN_FLIGHT';

async function submit(order: SubmitInput): Promise<SubmitAnswer> {
  const body = {
    schedule_ids: order.ids,
    appointment_management: { keep_current_appointment: order.notifyOnly },
    expected_total: order.expectedTotal,
    ...order.codes,
  };
  const submitted = await answer(client.POST('/schedules/submit', { body, params: idempotent(orderKey(order)) }));
  return { ...submitted, schedules: submitted.schedules.map(asTask) };
}

/**
 * Returns a mutation that submits all tasks or none. Each order has an idempotency key, which a
 * repetition after a lost response reuses.
 */
export function useSubmit(onDone: (answer: SubmitAnswer) => void) {
  return useMutation({
    networkMode: 'always',
    mutationFn: submit,
    onError: (error) => {
      if (isDefinite(error)) forgetOrder();
      if (hasCode(error, 'INSUFFICIENT_CREDIT')) void queryClient.invalidateQueries({ queryKey: ['credit'] });
      // Removes a refused code, so that the next price is without it.
      if (hasCode(error, 'PROMO_REFUSED')) setPriceCode('promo', '');
      if (hasCode(error, 'REFERRAL_REFUSED')) setPriceCode('referral', '');
      if (hasCode(error, 'PRICE_CHANGED', 'PROMO_REFUSED', 'REFERRAL_REFUSED'))
        void queryClient.invalidateQueries({ queryKey: ['pricing'] });
    },
    onSuccess: (answer) => {
      forgetOrder();
      for (const name of ['tasks', 'credit', 'ledger', 'stats', 'pricing'])
        void queryClient.invalidateQueries({ queryKey: [name] });
      onDone(answer);
    },
  });
}
