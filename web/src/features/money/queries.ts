import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answer, client } from '../../shared/api/client.ts';
import { asReceipt, type MovementFilter, readMovements } from '../../shared/api/money.ts';
import { retryUnlessMissing } from '../../shared/api/queries.ts';

export const ledgerQueries = {
  movements: (filter: MovementFilter, limit: number) =>
    infiniteQueryOptions({
      queryKey: ['ledger', 'pages', filter, limit],
      queryFn: ({ pageParam }) => readMovements(filter, limit, pageParam),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.next ?? undefined,
    }),
  receipt: (id: string) =>
    queryOptions({
      queryKey: ['ledger', 'receipt', id],
      queryFn: async () => asReceipt(await answer(client.GET('/users/ledger/{id}', { params: { path: { id } } }))),
      retry: retryUnlessMissing,
    }),
};
