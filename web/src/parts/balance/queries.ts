import { queryOptions } from '@tanstack/react-query';
import { whereBilled } from '../../shared/api/billing.ts';
import { answer, client } from '../../shared/api/client.ts';
import { readMovements } from '../../shared/api/money.ts';

/** Number of movements on the card of the balance. */
export const LAST_MOVEMENTS = 3;

export const balanceQueries = {
  lastMovements: (limit: number) =>
    queryOptions({ ...whereBilled, queryKey: ['ledger', 'last', limit], queryFn: () => readMovements({}, limit) }),
  cardConfig: () =>
    queryOptions({ ...whereBilled, queryKey: ['cardConfig'], queryFn: () => answer(client.GET('/payment/stripe/config')) }),
  support: () => queryOptions({ queryKey: ['support'], queryFn: () => answer(client.GET('/support')) }),
};
