import { QueryClientProvider } from '@tanstack/react-query';
import { queryClient } from '../api/queries.ts';
import type { User } from '../api/types.ts';
import { AccountMenu } from '../components/shell/AccountMenu.tsx';
import { BalanceChip } from '../components/shell/BalanceChip.tsx';

/** Balance and account menu of a member who looks at an open page; a chunk of its own. */
export function Member({ identity }: { identity: Pick<User, 'email' | 'username'> }) {
  return (
    <QueryClientProvider client={queryClient}>
      <BalanceChip />
      <AccountMenu identity={identity} />
    </QueryClientProvider>
  );
}
