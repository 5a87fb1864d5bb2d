import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { channelIcon } from '../../../parts/channels/kinds.ts';
import type { Start } from '../../../parts/channels/setup/AddDialog.tsx';
import { ChannelProblem } from '../../../parts/channels/setup/ChannelProblem.tsx';
import { testChannel } from '../../../parts/channels/setup/calls.ts';
import styles from '../../../parts/channels/setup/channels.module.css';
import { reloadChannels } from '../../../parts/channels/setup/remember.ts';
import { TestResult } from '../../../parts/channels/setup/TestResult.tsx';
import { stateBadges } from '../../../parts/channels/stateBadges.ts';
import type { Channel } from '../../../shared/api/channels.ts';
import { ownPush } from '../../../shared/browser/ownPush.ts';
import { useAgo } from '../../../shared/hooks/useAgo.ts';
import { sentences } from '../../../shared/i18n/format.ts';
import { useLanguage } from '../../../shared/i18n/useLanguage.ts';
import { Badge } from '../../../shared/ui/Badge.tsx';
import { Button } from '../../../shared/ui/Button.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { Text } from '../../../shared/ui/Text.tsx';
import { repairOf } from './repair.ts';

interface Props {
  channel: Channel;
  /** Called to continue an unfinished setup, or to replace a broken channel. */
  onContinue: (start: Start) => void;
  onManage: () => void;
}

/** Renders one channel: its state, the reason, the button that fixes it, and the test. */
export function ChannelRow({ channel, onContinue, onManage }: Props) {
  const { t } = useTranslation();
  const { kind, label, state } = channel;
  const badge = stateBadges[state];
  const name = t(`channels.kind.${kind}`);
  const what = label ? `${name} ${label}` : name;
  const test = useMutation({
    mutationFn: () => testChannel(channel.id),
    onSettled: () => void reloadChannels(),
  });
  return (
    <div className={styles.channel}>
      <Icon of={channelIcon(kind)} className={styles.sign} />
      <div className={styles.words}>
        <p className={styles.head}>
          <Text as="span" variant="strong">
            {name}
          </Text>
          <Badge tone={badge.tone} icon={badge.icon}>
            {t(`channels.state.${state}`)}
          </Badge>
          {ownPush()?.id === channel.id && <Badge tone="line">{t('reach.thisDevice')}</Badge>}
        </p>
        {label && (
          <Text variant="small" color="secondary" className={styles.label}>
            {label}
          </Text>
        )}
        <How channel={channel} name={name} isReported={test.data?.outcome === 'broken'} />
        {test.data && <TestResult result={test.data} kind={kind} />}
        <ChannelProblem error={test.error} fallback="reach.testFailed" kind={kind} />
        <div className={styles.buttons}>
          <Repair channel={channel} name={what} onContinue={onContinue} />
          {(state === 'verified' || state === 'needs_attention') && (
            <Button
              variant="secondary"
              size="small"
              loading={test.isPending}
              aria-label={t('reach.testWhat', { what })}
              onClick={() => test.mutate()}
            >
              {t('reach.test')}
            </Button>
          )}
          <Button variant="ghost" size="small" aria-label={t('reach.manageWhat', { what })} onClick={onManage}>
            {t('reach.manage')}
          </Button>
        </div>
      </div>
    </div>
  );
}

/**
 * Renders a sentence about the channel's state: since when it works, what is missing, or what
 * failed. Renders nothing if the test below has reported the same.
 */
function How({ channel, name, isReported }: { channel: Channel; name: string; isReported: boolean }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const ago = useAgo();
  const { state, last_ok_at, reason, waits_for } = channel;
  if (state === 'pending')
    return (
      <Text variant="small">
        {waits_for === 'code' ? t('reach.waitsCode') : waits_for === 'confirmation' ? t('reach.waitsYou') : t('reach.waitsLink')}
      </Text>
    );
  const last = last_ok_at ? t('reach.lastOk', { when: ago(last_ok_at) }) : t('reach.neverOk');
  return (
    <>
      {state === 'needs_attention' && (
        <Text variant="small">
          {sentences(
            [!isReported && t(`reach.reason.${reason ?? 'refused'}`), t(`reach.repair.${reason ?? 'refused'}`, { name })],
            language,
          )}
        </Text>
      )}
      {state === 'off' && <Text variant="small">{t('reach.isOff')}</Text>}
      <Text variant="caption" color="tertiary">
        {last}
      </Text>
    </>
  );
}

function Repair({ channel, name, onContinue }: { channel: Channel; name: string; onContinue: Props['onContinue'] }) {
  const { t } = useTranslation();
  const repair = repairOf(channel);
  if (repair === null) return null;
  const [text, start]: [string, Start] =
    repair === 'again'
      ? [t('reach.again'), { kind: channel.kind, replaces: channel.id }]
      : [repair === 'confirm' ? t('reach.isMe') : t('reach.goOn'), { channel }];
  return (
    <Button size="small" aria-label={t('reach.doWhat', { action: text, what: name })} onClick={() => onContinue(start)}>
      {text}
    </Button>
  );
}
