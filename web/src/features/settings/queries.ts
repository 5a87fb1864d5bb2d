import { queryOptions } from '@tanstack/react-query';
import { whereBilled } from '../../shared/api/billing.ts';
import { answer, client } from '../../shared/api/client.ts';

export const settingsQueries = {
  signIns: () =>
    queryOptions({
      queryKey: ['signIns'],
      queryFn: () => answer(client.GET('/user/sessions')).then(({ sessions }) => sessions),
      staleTime: 30_000,
    }),
  activity: () =>
    queryOptions({
      queryKey: ['activity'],
      queryFn: () => answer(client.GET('/user/security-events')).then(({ events }) => events),
      staleTime: 30_000,
    }),
  secondFactor: () => queryOptions({ queryKey: ['secondFactor'], queryFn: () => answer(client.GET('/user/totp')) }),
  passkeys: () => queryOptions({ queryKey: ['passkeys'], queryFn: () => answer(client.GET('/user/passkeys')) }),
  deletion: () => queryOptions({ queryKey: ['deletion'], queryFn: () => answer(client.GET('/user/deletion')), staleTime: 0 }),
  referral: () => queryOptions({ ...whereBilled, queryKey: ['referral'], queryFn: () => answer(client.GET('/users/referral')) }),
};
