import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { maskEmail } from '../../shared/format/mask.ts';
import { useHiddenIds } from '../../shared/hooks/useHiddenApplicants.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import styles from './AccountFrame.module.css';

const accountOf = ({ visa_credentials: { username }, country_code }: Task) => `${country_code} ${username.toLowerCase()}`;

/** Groups the tasks of each portal account, at the position of the first of them. */
export function byAccount(tasks: Task[]): Task[][] {
  const groups = new Map<string, Task[]>();
  for (const task of tasks) groups.set(accountOf(task), [...(groups.get(accountOf(task)) ?? []), task]);
  return [...groups.values()];
}

/** Renders the cards of one portal account. If there are several, a frame names the account. */
export function AccountFrame({ tasks, children }: { tasks: Task[]; children: ReactNode }) {
  const { t } = useTranslation();
  const hiddenIds = useHiddenIds();
  const username = tasks[0]?.visa_credentials.username ?? '';
  if (tasks.length < 2) return children;
  const account = tasks.some(({ id }) => hiddenIds.includes(id)) ? maskEmail(username) : username;
  const title = t('dashboard.accountTasks', { account, count: tasks.length });
  return (
    <section aria-label={title} className={styles.frame}>
      <p className={styles.title}>
        <Icon of={Lock} size={14} />
        <span>{title}</span>
      </p>
      {children}
    </section>
  );
}
