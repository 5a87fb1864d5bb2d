import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel, Channels } from '../../../shared/api/channels.ts';
import { joined, sentences } from '../../../shared/i18n/format.ts';
import { useLanguage } from '../../../shared/i18n/useLanguage.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button } from '../../../shared/ui/Button.tsx';
import { Text } from '../../../shared/ui/Text.tsx';
import { groupOf } from '../kinds.ts';
import { addPush } from './addPush.ts';
import { ChannelProblem } from './ChannelProblem.tsx';
import { HomeScreen } from './HomeScreen.tsx';
import { refusals } from './problem.ts';
import { Consent, GuideNotes, Step } from './Step.tsx';
import { PushRefused, type PushSupport, pushSupport } from './webPush.ts';

interface Props {
  all: Channels;
  onAdded: (channel: Channel) => void;
  onBack?: () => void;
}

/** Renders the step that subscribes this browser, or the reason why it cannot. */
export function PushStep({ all, onAdded, onBack }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const name = t('channels.kind.web_push');
  const [support, setSupport] = useState(pushSupport);
  const [agreed, setAgreed] = useState(false);
  const [tried, setTried] = useState(false);
  const allow = useMutation({
    mutationFn: (key: string) => addPush(key, language),
    onSuccess: onAdded,
  });
  const ready = support === 'ready' && all.web_push_key !== null;
  const submit = () => {
    setTried(true);
    if (agreed && all.web_push_key) allow.mutate(all.web_push_key);
  };
  const refused = allow.error instanceof PushRefused ? allow.error : null;
  return (
    <Step
      label={t('reach.addKind', { name })}
      onSubmit={submit}
      actions={
        <>
          {onBack && (
            <Button variant="ghost" disabled={allow.isPending} onClick={onBack}>
              {t('reach.back')}
            </Button>
          )}
          {ready ? (
            <Button type="submit" loading={allow.isPending}>
              {t('reach.push.allow')}
            </Button>
          ) : (
            support === 'denied' && <Button onClick={() => setSupport(pushSupport())}>{t('reach.push.check')}</Button>
          )}
        </>
      }
    >
      {ready ? (
        <>
          <Text>{t('reach.push.text')}</Text>
          <GuideNotes kind="web_push" />
          <Consent kind="web_push" agreed={agreed} missing={tried} onChange={setAgreed} />
          {refused ? (
            <Alert tone="error">{t(refusals[refused.why]) as string}</Alert>
          ) : (
            <ChannelProblem error={allow.error} fallback="reach.addFailed" kind="web_push" />
          )}
        </>
      ) : (
        <Obstacle support={support} all={all} />
      )}
    </Step>
  );
}

/** Renders the reason why this browser cannot be subscribed, and an alternative. */
function Obstacle({ support, all }: { support: PushSupport; all: Channels }) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (support === 'home_screen') return <HomeScreen />;
  const chats = all.offered.filter((kind) => kind !== 'telegram' && groupOf[kind] === 'chat');
  const names = joined(
    chats.map((kind) => t(`channels.kind.${kind}`)),
    language,
  );
  if (support === 'wechat')
    return (
      <Alert tone="info" title={t('reach.push.weChat')}>
        {sentences([t('reach.push.weChatText'), chats.length > 0 && t('reach.push.weChatInstead', { names })], language)}
      </Alert>
    );
  return (
    <Alert tone="info" title={t(support === 'denied' ? 'reach.push.deniedTitle' : 'reach.push.missing')}>
      {t(support === 'denied' ? 'reach.push.denied' : 'reach.push.missingText')}
    </Alert>
  );
}
