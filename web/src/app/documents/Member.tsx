import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { makeWaitingDeletes } from '../../parts/task/waitingDeletes.ts';
import { billingStore } from '../../shared/api/billing.ts';
import { template } from '../../shared/api/facts.tsx';
import { queryClient, refreshMoney } from '../../shared/api/queries.ts';
import type { User } from '../../shared/api/types.ts';
import { AccountMenu } from '../shell/AccountMenu.tsx';
import { BalanceChip } from '../shell/BalanceChip.tsx';
import { factsHere } from './documentPart.tsx';

// The document knows what the browser may not have been told yet.
if (factsHere !== template) billingStore.set(factsHere.billing_off === undefined);

/** Balance and account menu of a member who looks at an open page; a chunk of its own. */
export function Member({ identity }: { identity: Pick<User, 'email' | 'username'> }) {
  // The page before this one may have been left within the time of an undo.
  useEffect(() => void makeWaitingDeletes().then((made) => made && refreshMoney()), []);
  return (
    <QueryClientProvider client={queryClient}>
      <BalanceChip />
      <AccountMenu identity={identity} />
    </QueryClientProvider>
  );
}
