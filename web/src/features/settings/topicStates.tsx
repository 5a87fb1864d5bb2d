import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { channelQueries } from '../../parts/channels/queries.ts';
import type { Channels } from '../../shared/api/channels.ts';
import { JUST_READ_MS, queries } from '../../shared/api/queries.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import type { SettingsTopic } from '../../shared/routing/paths.ts';
import { useSchemeChoice } from '../../shared/theme/scheme.ts';
import { Pieces } from '../../shared/ui/Pieces.tsx';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { settingsQueries } from './queries.ts';
import styles from './TopicNav.module.css';

const Line = ({ warning, children }: { warning?: boolean; children: ReactNode }) => (
  <Text as="span" variant="caption" color={warning ? 'warning' : 'secondary'} className={styles.state}>
    {children}
  </Text>
);

/** Renders the state that a query returned: a placeholder while it loads, a text if it failed. */
function Known<T>({
  query,
  children,
}: {
  query: Pick<UseQueryResult<T>, 'data' | 'isError' | 'isFetching'>;
  children: (data: T) => ReactNode;
}) {
  const { t } = useTranslation();
  if (query.data !== undefined) return children(query.data);
  if (query.isError && !query.isFetching) return <Line>{t('settings.state.failed')}</Line>;
  return <Skeleton className={styles.loading} />;
}

/** Renders the number of items that need the user, if there are any. */
function useAttention() {
  const { t } = useTranslation();
  return (count: number) => count > 0 && t('settings.state.attention', { count });
}

function useWays() {
  const { t } = useTranslation();
  return ({ email, channels }: Channels) => {
    const count = channels.length;
    if (!email.on) return count > 0 ? t('settings.state.ways', { count }) : t('settings.state.noWay');
    return count > 0 ? t('settings.state.mailAnd', { count }) : t('settings.state.mailOnly');
  };
}

function Notifications() {
  const ways = useWays();
  const attention = useAttention();
  return (
    <Known query={useQuery(channelQueries.all())}>
      {(all) => {
        const broken = all.channels.filter(({ state }) => state === 'needs_attention').length;
        const none = !all.email.on && all.channels.length === 0;
        return (
          <Line warning={broken > 0 || none}>
            <Pieces of={[ways(all), attention(broken)]} />
          </Line>
        );
      }}
    </Known>
  );
}

function VisaAccounts() {
  const { t } = useTranslation();
  const attention = useAttention();
  return (
    <Known query={useQuery({ ...queries.portalAccounts(), staleTime: JUST_READ_MS })}>
      {(accounts) => {
        const troubled = accounts.filter(({ health }) => ['rejected', 'locked', 'captcha'].includes(health)).length;
        const count = accounts.length;
        return (
          <Line warning={troubled > 0}>
            <Pieces of={[count > 0 ? t('settings.state.stored', { count }) : t('settings.state.none'), attention(troubled)]} />
          </Line>
        );
      }}
    </Known>
  );
}

function Account() {
  return (
    <Known query={useQuery(queries.profile())}>
      {({ display_name, email }) => (
        <Line>
          <Pieces of={[display_name, email]} />
        </Line>
      )}
    </Known>
  );
}

function Security() {
  const { t } = useTranslation();
  const factor = useQuery(settingsQueries.secondFactor());
  return (
    <Known query={useQuery(queries.profile())}>
      {({ has_password }) => (
        <Line>
          <Pieces
            of={[
              t(has_password ? 'settings.state.password' : 'settings.state.noPassword'),
              factor.data && t(factor.data.enabled ? 'settings.state.twoStepOn' : 'settings.state.twoStepOff'),
            ]}
          />
        </Line>
      )}
    </Known>
  );
}

function Devices() {
  const { t } = useTranslation();
  return (
    <Known query={useQuery({ ...settingsQueries.signIns(), staleTime: JUST_READ_MS })}>
      {({ length: count }) => <Line>{t('settings.state.devices', { count })}</Line>}
    </Known>
  );
}

function Data() {
  const { t } = useTranslation();
  return <Line>{t('settings.state.data')}</Line>;
}

function Referral() {
  const { t } = useTranslation();
  return (
    <Known query={useQuery(settingsQueries.referral())}>
      {({ code, invited }) => (
        <Line>
          <Pieces of={[t('referral.code', { code }), invited > 0 && t('settings.state.invited', { count: invited })]} />
        </Line>
      )}
    </Known>
  );
}

/** Current state of each topic, for the index. */
export const topicStates: Record<SettingsTopic, () => ReactNode> = {
  notifications: Notifications,
  'visa-accounts': VisaAccounts,
  account: Account,
  security: Security,
  devices: Devices,
  data: Data,
  referral: Referral,
};

/** Renders the language and the appearance. */
export function PreferencesState() {
  const { t } = useTranslation();
  const language = useLanguage();
  const scheme = useSchemeChoice();
  return (
    <Line>
      <Pieces of={[t(language === 'zh' ? 'settings.chinese' : 'settings.english'), t(`settings.scheme.${scheme}`)]} />
    </Line>
  );
}
