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

// Stores whether the server charges, because the document contains this fact and the browser may
// not know it yet.
if (factsHere !== template) billingStore.set(factsHere.billing_off === undefined);

/**
 * Renders the balance and the account menu of a signed-in user on a public page. Its code is a
 * separate chunk.
 */
export function Member({ identity }: { identity: Pick<User, 'email' | 'username'> }) {
  // Sends deletions of the previous page, which the user may have left before the undo period
  // ended.
  useEffect(() => void sendWaitingDeletes().then((made) => made && refreshMoney()), []);
  return (
    <QueryClientProvider client={queryClient}>
      <BalanceChip />
      <AccountMenu identity={identity} />
    </QueryClientProvider>
  );
}
