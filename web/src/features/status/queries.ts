import { queryOptions } from '@tanstack/react-query';
import { answer, client } from '../../shared/api/client.ts';

export const statusQueries = {
  history: () =>
    queryOptions({
      queryKey: ['statusHistory'],
      queryFn: () => answer(client.GET('/status/history')),
      refetchInterval: 60_000,
    }),
};
