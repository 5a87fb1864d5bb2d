import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '../../api/calls.ts';
import { hasCode, NETWORK_ERROR } from '../../api/errors.ts';
import { queryClient } from '../../api/queries.ts';
import type { SubmitAnswer } from '../../api/types.ts';
import { randomKey } from '../../lib/randomKey.ts';

interface Order {
  ids: string[];
  notifyOnly: boolean;
  expectedTotal: number | undefined;
}

/** Submits all tasks or none. One key per order: a lost answer is asked for again with the same key, a definite answer ends it. */
export function useSubmit(onDone: (answer: SubmitAnswer) => void) {
  const key = useRef({ order: '', key: '' });
  return useMutation({
    mutationFn: (order: Order) => {
      const text = JSON.stringify(order);
      if (key.current.order !== text) key.current = { order: text, key: randomKey() };
      return api.submit(
        {
          schedule_ids: order.ids,
          appointment_management: { keep_current_appointment: order.notifyOnly },
          expected_total: order.expectedTotal,
        },
        key.current.key,
      );
    },
    onError: (error) => {
      if (!hasCode(error, NETWORK_ERROR)) key.current = { order: '', key: '' };
      if (hasCode(error, 'INSUFFICIENT_CREDIT')) void queryClient.invalidateQueries({ queryKey: ['credit'] });
      if (hasCode(error, 'PRICE_CHANGED')) void queryClient.invalidateQueries({ queryKey: ['pricing'] });
    },
    onSuccess: (answer) => {
      for (const name of ['tasks', 'credit', 'ledger', 'stats']) void queryClient.invalidateQueries({ queryKey: [name] });
      onDone(answer);
    },
  });
}
