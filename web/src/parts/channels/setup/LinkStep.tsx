import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '../../../shared/api/channels.ts';
import { useNow } from '../../../shared/hooks/useNow.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button, ButtonLink } from '../../../shared/ui/Button.tsx';
import { Text } from '../../../shared/ui/Text.tsx';
import { channelQueries } from '../queries.ts';
import { ChannelProblem } from './ChannelProblem.tsx';
import { linkChannel } from './calls.ts';
import styles from './channels.module.css';
import { Consent, GuideNotes, GuideSteps, Step } from './Step.tsx';

const ASK_MS = 3_000;

interface AskProps {
  kind: 'telegram' | 'wx_pusher';
  onAdded: (channel: Channel) => void;
  onBack?: () => void;
}

/** Renders the step with the explanation and the consent. The link is created afterwards. */
export function AskLinkStep({ kind, onAdded, onBack }: AskProps) {
  const { t } = useTranslation();
  const name = t(`channels.kind.${kind}`);
  const [agreed, setAgreed] = useState(false);
  const [tried, setTried] = useState(false);
  const link = useMutation({
    mutationFn: () => linkChannel(kind),
    onSuccess: onAdded,
  });
  const submit = () => {
    setTried(true);
    if (agreed) link.mutate();
  };
  return (
    <Step
      label={t('reach.addKind', { name })}
      onSubmit={submit}
      actions={
        <>
          {onBack && (
            <Button variant="ghost" disabled={link.isPending} onClick={onBack}>
              {t('reach.back')}
            </Button>
          )}
          <Button type="submit" loading={link.isPending}>
            {t('reach.getLink')}
          </Button>
        </>
      }
    >
      <GuideSteps kind={kind} />
      <GuideNotes kind={kind} />
      <Consent kind={kind} agreed={agreed} missing={tried} onChange={setAgreed} />
      <ChannelProblem error={link.error} fallback="reach.linkFailed" kind={kind} />
    </Step>
  );
}

/** Returns the address of the server's QR code. The server sends inline SVG or an address. */
const pictureOf = (qr: string) => (qr.startsWith('<') ? `data:image/svg+xml;charset=utf-8,${encodeURIComponent(qr)}` : qr);

interface Props {
  channel: Channel;
  /** Called to replace an expired link. */
  onAgain: () => void;
  onClose: () => void;
}

/**
 * Renders the step with a link to open or scan. It checks every three seconds whether the link was
 * opened.
 */
export function LinkStep({ channel, onAgain, onClose }: Props) {
  const { t } = useTranslation();
  const now = useNow(ASK_MS);
  const { link, kind } = channel;
  const over = link === null || Date.parse(link.expires_at) <= now;
  const asked = useQuery({ ...channelQueries.all(), refetchInterval: over ? false : ASK_MS, staleTime: 0 });
  const name = t(`channels.kind.${kind}`);
  const label = t('reach.openLink', { name });
  if (over)
    return (
      <Step
        label={t('reach.linkOver')}
        onSubmit={onAgain}
        actions={
          <>
            <Button variant="ghost" onClick={onClose}>
              {t('settings.cancel')}
            </Button>
            <Button type="submit">{t('reach.linkAgain')}</Button>
          </>
        }
      >
        <Alert tone="warning" live="status">
          {t('reach.linkOver')}
        </Alert>
      </Step>
    );
  return (
    <Step
      label={label}
      actions={
        <Button variant="ghost" onClick={onClose}>
          {t('settings.cancel')}
        </Button>
      }
    >
      <Text>{t(kind === 'telegram' ? 'reach.tapTelegram' : 'reach.scanWxPusher')}</Text>
      {kind === 'telegram' && (
        <ButtonLink href={link.url} target="_blank" rel="noreferrer" className={styles.openLink}>
          {label}
        </ButtonLink>
      )}
      {link.qr && <img alt={t('reach.qr', { name })} src={pictureOf(link.qr)} className={styles.qr} />}
      {kind !== 'telegram' && (
        <ButtonLink href={link.url} target="_blank" rel="noreferrer" variant="text" size="small" className={styles.openLink}>
          {t('reach.openPage')}
        </ButtonLink>
      )}
      <Text variant="small" color="secondary" role="status" className={styles.middle}>
        {asked.isError ? t('reach.waitingFailed') : t('reach.waitingLink')}
      </Text>
    </Step>
  );
}
