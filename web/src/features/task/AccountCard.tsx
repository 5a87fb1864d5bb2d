import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { capability } from '../../parts/task/capabilities.ts';
import { reloadTask } from '../../parts/task/liveUpdates.ts';
import { queries, queryClient } from '../../shared/api/queries.ts';
import type { Task } from '../../shared/api/types.ts';
import { maskEmail } from '../../shared/format/mask.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';
import type { IconName } from '../../shared/legacy/iconPaths.tsx';
import { Tag } from '../../shared/legacy/Tag.tsx';
import { Part, Terms } from './Part.tsx';
import { useWhen } from './useWhen.ts';

const DeletePortalAccountDialog = lazy(async () => ({
  default: (await import('../../parts/portalAccount/DeletePortalAccountDialog.tsx')).DeletePortalAccountDialog,
}));

const healths: Record<string, [Words, 'ok' | 'warn' | 'err', IconName]> = {
  valid: ['task.healthValid', 'ok', 'check'],
  rejected: ['task.healthRejected', 'err', 'crossCircle'],
  locked: ['task.healthLocked', 'err', 'lock'],
  captcha: ['task.healthCaptcha', 'err', 'alert'],
  cooling: ['task.healthCooling', 'warn', 'clock'],
};

interface Props {
  task: Task;
  hidden: boolean;
  busy: boolean;
  onVerify: () => void;
}

/** The portal login: how it fares, what becomes of its password, and the way to verify it again or to delete it. */
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
  const [word, tone, icon] = healths[health] ?? (['task.healthUnknown', 'warn', 'info'] as const);
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
      icon="key"
      title={t('rail.account')}
      mark={
        <Tag tone={tone} icon={icon}>
          {t(word)}
        </Tag>
      }
      foot={
        <Box component="span" sx={{ fontSize: 13, color: 'text.secondary' }}>
          {`${t('rail.signIns')}${t('dateline.comma')}${t('rail.signInTimes', { count: sign_ins_ten_hours })}`}
        </Box>
      }
    >
      <Terms rows={rows} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 1.75 }}>
        <Button
          variant={health === 'rejected' ? 'contained' : 'outlined'}
          size="small"
          disabled={busy || !can.allowed}
          onClick={onVerify}
          startIcon={<Icon name="refresh" size={16} />}
        >
          {t('rail.reverify')}
        </Button>
        {account && (
          <Button
            variant="outlined"
            color="error"
            size="small"
            disabled={busy}
            onClick={() => setDeleting(true)}
            startIcon={<Icon name="trash" size={16} />}
          >
            {t('rail.deletePassword')}
          </Button>
        )}
      </Box>
      {can.why && <Box sx={{ mt: 1, fontSize: 13, color: 'text.secondary' }}>{t(can.why)}</Box>}
      {deleting && account && (
        <Suspense fallback={null}>
          <DeletePortalAccountDialog account={account} name={shownAs} onDone={done} onClose={() => setDeleting(false)} />
        </Suspense>
      )}
    </Part>
  );
}
