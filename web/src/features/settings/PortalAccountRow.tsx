import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queries, queryClient } from '../../shared/api/queries.ts';
import type { PortalAccount } from '../../shared/api/types.ts';
import { maskEmail } from '../../shared/format/mask.ts';
import { useAgo } from '../../shared/hooks/useAgo.ts';
import { instantParts, instantShort } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';
import type { IconName } from '../../shared/legacy/iconPaths.tsx';
import { Tag } from '../../shared/legacy/Tag.tsx';
import { catchFocus } from './catchFocus.ts';

const DeletePortalAccountDialog = lazy(async () => ({
  default: (await import('../../parts/portalAccount/DeletePortalAccountDialog.tsx')).DeletePortalAccountDialog,
}));

const UpdatePasswordDialog = lazy(async () => ({
  default: (await import('../../parts/task/UpdatePasswordDialog.tsx')).UpdatePasswordDialog,
}));

interface Health {
  tone: 'ok' | 'warn' | 'err' | 'quiet';
  icon: IconName;
  word: Words;
  text: Words | null;
}

const healths: Record<string, Health> = {
  valid: { tone: 'ok', icon: 'checkCircle', word: 'portalAccounts.valid', text: 'portalAccounts.validText' },
  rejected: { tone: 'err', icon: 'crossCircle', word: 'portalAccounts.rejected', text: 'portalAccounts.rejectedText' },
  locked: { tone: 'err', icon: 'lock', word: 'portalAccounts.locked', text: 'portalAccounts.lockedText' },
  captcha: { tone: 'err', icon: 'user', word: 'portalAccounts.captcha', text: 'portalAccounts.captchaText' },
  cooling: { tone: 'warn', icon: 'pause', word: 'portalAccounts.cooling', text: 'portalAccounts.coolingText' },
};
const unknown: Health = { tone: 'quiet', icon: 'info', word: 'portalAccounts.otherHealth', text: null };

const states: Record<PortalAccount['tasks'][number]['status'], Words | null> = {
  draft: null,
  configured: null,
  submitted: 'task.processing',
  processing: 'task.processing',
  active: 'task.monitoring',
  stopped: 'task.paused',
  error: 'task.needsYou',
  completed: 'task.completed',
};

const reload = () => {
  void queryClient.invalidateQueries({ queryKey: ['tasks'] });
  void queryClient.invalidateQueries({ queryKey: queries.portalAccounts().queryKey }).then(() => catchFocus('portal-accounts'));
};

/** One login at the official site. */
export function PortalAccountRow({ account }: { account: PortalAccount }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [shown, setShown] = useState(false);
  const [dialog, setDialog] = useState<'password' | 'delete' | null>(null);
  const { data: places } = useQuery(queries.facilities());
  const country = places?.countries.find((one) => one.code === account.country_code);
  const name = shown ? account.username : maskEmail(account.username);
  const health = healths[account.health] ?? unknown;
  const close = () => setDialog(null);
  return (
    <Box sx={{ display: 'grid', gap: 1.25, minWidth: 0 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '4px 8px' }}>
        <Typography component="h3" sx={{ fontSize: 15, fontWeight: 600, minWidth: 0, overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
        <Tooltip title={t(shown ? 'portalAccounts.hide' : 'portalAccounts.show')}>
          <IconButton
            aria-label={t(shown ? 'portalAccounts.hide' : 'portalAccounts.show')}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            <Icon name={shown ? 'eye' : 'eyeOff'} />
          </IconButton>
        </Tooltip>
        {country && <Tag tone="line">{language === 'zh' ? country.nameZh : country.nameEn}</Tag>}
        <Tag tone={health.tone} icon={health.icon}>
          {t(health.word) as string}
        </Tag>
      </Box>
      <HealthText account={account} text={health.text} />
      <Tasks account={account} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        <Button
          variant={account.health === 'rejected' ? 'contained' : 'outlined'}
          size="small"
          aria-label={t('portalAccounts.updateWhat', { what: name })}
          onClick={() => setDialog('password')}
        >
          {t('portalAccounts.update')}
        </Button>
        <Button
          variant="text"
          color="error"
          size="small"
          aria-label={t('portalAccounts.deleteWhat', { what: name })}
          onClick={() => setDialog('delete')}
        >
          {t('portalAccounts.delete')}
        </Button>
      </Box>
      <Suspense fallback={null}>
        {dialog === 'password' && (
          <UpdatePasswordDialog
            login={{ username: account.username, countryCode: account.country_code, visaType: account.visa_type }}
            shownAs={name}
            taskIds={account.tasks.map((task) => task.id)}
            done="portalAccounts.renewed"
            onRenewed={reload}
            onClose={close}
          />
        )}
        {dialog === 'delete' && <DeletePortalAccountDialog account={account} name={name} onDone={reload} onClose={close} />}
      </Suspense>
    </Box>
  );
}

function HealthText({ account, text }: { account: PortalAccount; text: Words | null }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const ago = useAgo();
  if (!text) return null;
  const since = account.health_since ? instantShort(account.health_since, language) : '';
  const when = account.tested_at ? ago(account.tested_at) : null;
  return (
    <Typography variant="body2" color="textSecondary">
      {text === 'portalAccounts.validText' && !when
        ? t('portalAccounts.validNever')
        : (t(text, { since, when: when ?? '' }) as string)}
      {account.health !== 'valid' && account.next_try_at && (
        <> {t('portalAccounts.nextTry', { when: instantShort(account.next_try_at, language) })}</>
      )}
    </Typography>
  );
}

function Tasks({ account }: { account: PortalAccount }) {
  const { t } = useTranslation();
  return (
    <Box sx={{ fontSize: 14, lineHeight: 1.6 }}>
      {account.tasks.length === 0 ? (
        <Typography variant="body2">{t('portalAccounts.noTasks')}</Typography>
      ) : (
        <Box component="ul" aria-label={t('portalAccounts.tasks')} sx={{ display: 'grid', gap: 0.5 }}>
          {account.tasks.map((task) => {
            const state = states[task.status];
            return (
              <Box component="li" key={task.id} sx={{ display: 'flex', flexWrap: 'wrap', gap: '2px 8px', alignItems: 'center' }}>
                <Box sx={{ color: 'text.tertiary' }}>
                  <Icon name="calendar" size={16} />
                </Box>
                <Box component="span" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
                  {task.title}
                </Box>
                {state && (
                  <Typography component="span" variant="caption" color="textTertiary">
                    {t(state) as string}
                  </Typography>
                )}
              </Box>
            );
          })}
        </Box>
      )}
      {account.removed_after && (
        <Typography variant="body2" sx={{ mt: 0.5, color: 'warning.ink' }}>
          {t('portalAccounts.removed', {
            date: account.removed_after.length > 10 ? instantParts(account.removed_after).date : account.removed_after,
          })}
        </Typography>
      )}
    </Box>
  );
}
