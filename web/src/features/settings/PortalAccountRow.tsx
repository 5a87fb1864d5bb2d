import { Calendar, CircleCheck, CircleX, Eye, EyeOff, Info, Lock, type LucideIcon, Pause, User } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queries, queryClient } from '../../shared/api/queries.ts';
import type { PortalAccount } from '../../shared/api/types.ts';
import { maskEmail } from '../../shared/format/mask.ts';
import { useCountryName } from '../../shared/format/useCountryName.ts';
import { useAgo } from '../../shared/hooks/useAgo.ts';
import { instantInFull, instantParts } from '../../shared/i18n/format.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { withTexts } from '../../shared/i18n/translations.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Badge } from '../../shared/ui/Badge.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { IconButton } from '../../shared/ui/IconButton.tsx';
import { Row } from '../../shared/ui/Layout.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { Tooltip } from '../../shared/ui/Tooltip.tsx';
import { catchFocus } from './catchFocus.ts';
import styles from './settings.module.css';

const DeletePortalAccountDialog = lazy(async () => ({
  default: await withTexts(
    ['parts/portalAccount'],
    async () => (await import('../../parts/portalAccount/DeletePortalAccountDialog.tsx')).DeletePortalAccountDialog,
  ),
}));

const UpdatePasswordDialog = lazy(async () => ({
  default: await withTexts(
    ['parts/portalAccount'],
    async () => (await import('../../parts/task/UpdatePasswordDialog.tsx')).UpdatePasswordDialog,
  ),
}));

interface Health {
  tone: 'ok' | 'warning' | 'error' | 'quiet';
  icon: LucideIcon;
  textKey: TextKey;
  text: TextKey | null;
}

const healths: Record<string, Health> = {
  valid: { tone: 'ok', icon: CircleCheck, textKey: 'portalAccounts.valid', text: 'portalAccounts.validText' },
  rejected: { tone: 'error', icon: CircleX, textKey: 'portalAccounts.rejected', text: 'portalAccounts.rejectedText' },
  locked: { tone: 'error', icon: Lock, textKey: 'portalAccounts.locked', text: 'portalAccounts.lockedText' },
  captcha: { tone: 'error', icon: User, textKey: 'portalAccounts.captcha', text: 'portalAccounts.captchaText' },
  cooling: { tone: 'warning', icon: Pause, textKey: 'portalAccounts.cooling', text: 'portalAccounts.coolingText' },
};
const unknown: Health = { tone: 'quiet', icon: Info, textKey: 'portalAccounts.otherHealth', text: null };

const stages: Record<PortalAccount['tasks'][number]['stage'], TextKey | null> = {
  unsubmitted: null,
  running: 'task.monitoring',
  needs_you: 'task.needsYou',
  paused: 'task.paused',
  completed: 'task.completed',
};

const reload = () => {
  void queryClient.invalidateQueries({ queryKey: ['tasks'] });
  void queryClient.invalidateQueries({ queryKey: queries.portalAccounts().queryKey }).then(() => catchFocus('portal-accounts'));
};

/** Renders one portal account. */
export function PortalAccountRow({ account }: { account: PortalAccount }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  const [dialog, setDialog] = useState<'password' | 'delete' | null>(null);
  const country = useCountryName()(account.country_code);
  const name = shown ? account.username : maskEmail(account.username);
  const health = healths[account.health] ?? unknown;
  const close = () => setDialog(null);
  return (
    <div className={styles.login}>
      <Row>
        <Text as="h2" variant="strong" className={styles.loginName}>
          {name}
        </Text>
        <Tooltip text={t(shown ? 'portalAccounts.hide' : 'portalAccounts.show')}>
          <IconButton
            label={t(shown ? 'portalAccounts.hide' : 'portalAccounts.show')}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            <Icon of={shown ? Eye : EyeOff} />
          </IconButton>
        </Tooltip>
        {country && <Badge tone="line">{country}</Badge>}
        <Badge tone={health.tone} icon={health.icon}>
          {t(health.textKey) as string}
        </Badge>
      </Row>
      <HealthText account={account} text={health.text} />
      <Tasks account={account} />
      <Row>
        <Button
          variant={account.health === 'rejected' ? 'primary' : 'secondary'}
          size="small"
          aria-label={t('portalAccounts.updateWhat', { what: name })}
          onClick={() => setDialog('password')}
        >
          {t('portalAccounts.update')}
        </Button>
        <Button
          variant="dangerText"
          size="small"
          aria-label={t('portalAccounts.deleteWhat', { what: name })}
          onClick={() => setDialog('delete')}
        >
          {t('portalAccounts.delete')}
        </Button>
      </Row>
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
    </div>
  );
}

function HealthText({ account, text }: { account: PortalAccount; text: TextKey | null }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const ago = useAgo();
  if (!text) return null;
  const since = account.health_since ? instantInFull(account.health_since, language) : '';
  const when = account.tested_at ? ago(account.tested_at) : null;
  return (
    <Text variant="small" color="secondary">
      {text === 'portalAccounts.validText' && !when
        ? t('portalAccounts.validNever')
        : (t(text, { since, when: when ?? '' }) as string)}
      {account.health !== 'valid' && account.next_try_at && (
        <> {t('portalAccounts.nextTry', { when: instantInFull(account.next_try_at, language) })}</>
      )}
    </Text>
  );
}

function Tasks({ account }: { account: PortalAccount }) {
  const { t } = useTranslation();
  return (
    <div>
      {account.tasks.length === 0 ? (
        <Text variant="small">{t('portalAccounts.noTasks')}</Text>
      ) : (
        <ul aria-label={t('portalAccounts.tasks')} className={styles.tasks}>
          {account.tasks.map((task) => {
            const state = stages[task.stage];
            return (
              <li key={task.id} className={styles.task}>
                <Icon of={Calendar} size={16} />
                <span>{task.title}</span>
                {state && (
                  <Text as="span" variant="caption" color="tertiary">
                    {t(state) as string}
                  </Text>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {account.removed_after && (
        <Text variant="small" color="warning">
          {t('portalAccounts.removed', {
            date: account.removed_after.length > 10 ? instantParts(account.removed_after).date : account.removed_after,
          })}
        </Text>
      )}
    </div>
  );
}
