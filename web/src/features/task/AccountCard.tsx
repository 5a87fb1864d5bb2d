import { useQuery } from '@tanstack/react-query';
import { Check, CircleX, Clock, Info, KeyRound, Lock, type LucideIcon, RefreshCw, Trash2, TriangleAlert } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { capability } from '../../parts/task/capabilities.ts';
import { reloadTask } from '../../parts/task/taskCache.ts';
import { queries, queryClient } from '../../shared/api/queries.ts';
import type { Task } from '../../shared/api/types.ts';
import { maskEmail } from '../../shared/format/mask.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { withTexts } from '../../shared/i18n/translations.ts';
import { Badge } from '../../shared/ui/Badge.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './AccountCard.module.css';
import { Part, Terms } from './Part.tsx';
import { useWhen } from './useWhen.ts';

const DeletePortalAccountDialog = lazy(async () => ({
  default: await withTexts(
    ['parts/portalAccount'],
    async () => (await import('../../parts/portalAccount/DeletePortalAccountDialog.tsx')).DeletePortalAccountDialog,
  ),
}));

const healths: Record<string, [TextKey, 'ok' | 'warning' | 'error', LucideIcon]> = {
  valid: ['task.healthValid', 'ok', Check],
  rejected: ['task.healthRejected', 'error', CircleX],
  locked: ['task.healthLocked', 'error', Lock],
  captcha: ['task.healthCaptcha', 'error', TriangleAlert],
  cooling: ['task.healthCooling', 'warning', Clock],
};

interface Props {
  task: Task;
  hidden: boolean;
  busy: boolean;
  onVerify: () => void;
}

/**
 * Renders the portal account of a task: its state, whether its password is stored, and buttons that
 * verify or delete it.
 */
export function AccountCard({ task, hidden, busy, onVerify }: Props) {
  const { t } = useTranslation();
  const when = useWhen();
  const [deleting, setDeleting] = useState(false);
  const { data: accounts } = useQuery(queries.portalAccounts());
  const { username, health, health_since, last_sign_in_at, next_try_at, sign_ins_ten_hours } = task.visa_credentials;
  const account = accounts?.find(
    (one) => one.tasks.some(({ id }) => id === task.id) || (one.username === username && one.country_code === task.country_code),
  );
  const gone = task.status_reason === 'credentials_removed' || (accounts !== undefined && !account);
  const [textKey, tone, icon] = healths[health] ?? (['task.healthUnknown', 'warning', Info] as const);
  const shownAs = hidden ? maskEmail(username) : username;
  const can = capability(task, 'update_password');
  const rows = [
    { term: t('rail.login'), value: shownAs },
    { term: t('rail.lastSignIn'), value: last_sign_in_at ? when(last_sign_in_at) : t('rail.neverSignedIn') },
    ...(health_since ? [{ term: t('rail.healthSince'), value: when(health_since) }] : []),
    ...(next_try_at ? [{ term: t('rail.nextTry'), value: when(next_try_at) }] : []),
    { term: t('rail.password'), value: gone ? t('rail.gone') : t('rail.passwordText') },
  ];
  const done = () => {
    void queryClient.invalidateQueries({ queryKey: queries.portalAccounts().queryKey });
    void queryClient.invalidateQueries({ queryKey: ['tasks'] });
    void reloadTask(task.id);
  };
  return (
    <Part
      icon={KeyRound}
      title={t('rail.account')}
      mark={
        <Badge tone={tone} icon={icon}>
          {t(textKey)}
        </Badge>
      }
      foot={
        <Text as="span" variant="caption" color="secondary">
          {t('rail.signInTimes', { count: sign_ins_ten_hours })}
        </Text>
      }
    >
      <Terms rows={rows} />
      <div className={styles.actions}>
        <Button
          variant={health === 'rejected' ? 'primary' : 'secondary'}
          size="small"
          disabled={busy || !can.allowed}
          onClick={onVerify}
          start={<Icon of={RefreshCw} size={16} />}
        >
          {t('rail.reverify')}
        </Button>
        {account && (
          <Button
            variant="danger"
            size="small"
            disabled={busy}
            onClick={() => setDeleting(true)}
            start={<Icon of={Trash2} size={16} />}
          >
            {t('rail.deletePassword')}
          </Button>
        )}
      </div>
      {can.why && (
        <Text variant="caption" color="secondary" className={styles.why}>
          {t(can.why)}
        </Text>
      )}
      {deleting && account && (
        <Suspense fallback={null}>
          <DeletePortalAccountDialog account={account} name={shownAs} onDone={done} onClose={() => setDeleting(false)} />
        </Suspense>
      )}
    </Part>
  );
}
