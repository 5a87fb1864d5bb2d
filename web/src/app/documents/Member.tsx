import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { sendWaitingDeletes } from '../../parts/task/waitingDeletes.ts';
import { billingStore } from '../../shared/api/billing.ts';
import { template } from '../../shared/api/facts.tsx';
import { queryClient, refreshMoney } from '../../shared/api/queries.ts';
import type { User } from '../../shared/api/types.ts';
import { AccountMenu } from '../shell/AccountMenu.tsx';
import { BalanceChip } from '../shell/BalanceChip.tsx';
import { factsHere } from './documentPart.tsx';

// The document may know facts that the browser does not know yet.
if (factsHere !== template) billingStore.set(factsHere.billing_off === undefined);

/**
 * Renders balance and account menu for a signed-in user on an open page. It is a chunk of its own.
 */
export function Member({ identity }: { identity: Pick<User, 'email' | 'username'> }) {
  // The user may have left the previous page during an undo countdown.
  useEffect(() => void sendWaitingDeletes().then((made) => made && refreshMoney()), []);
  return (
    <QueryClientProvider client={queryClient}>
      <BalanceChip />
      <AccountMenu identity={identity} />
    </QueryClientProvider>
  );
}
