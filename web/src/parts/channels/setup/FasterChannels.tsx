import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChannelKind, Channels } from '../../../shared/api/channels.ts';
import { joined } from '../../../shared/i18n/format.ts';
import { useLanguage } from '../../../shared/i18n/useLanguage.ts';
import { lazyComponent } from '../../../shared/pwa/lazyComponent.tsx';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button } from '../../../shared/ui/Button.tsx';
import { Stack } from '../../../shared/ui/Layout.tsx';
import { Text } from '../../../shared/ui/Text.tsx';
import { groupOf } from '../kinds.ts';
import { channelQueries } from '../queries.ts';
import type { Start } from './AddDialog.tsx';
import { addPush } from './addPush.ts';
import { ChannelProblem } from './ChannelProblem.tsx';
import styles from './channels.module.css';
import { refusals } from './problem.ts';
import { PushRefused, pushSupport } from './webPush.ts';

const AddDialog = lazyComponent(async () => (await import('./AddDialog.tsx')).AddDialog);

/** Delay after which a closed dialog has returned the focus. */
const SETTLED_MS = 100;

/** Returns whether a kind of channel can deliver questions. Text messages and groups cannot. */
const takesQuestions = (kind: ChannelKind) => kind !== 'sms' && groupOf[kind] !== 'group';

/**
 * Renders, for ask-first tasks, the offer to add a channel that is faster than mail. If the user
 * has such a channel, it shows its name.
 */
export function FasterChannels() {
  const { t } = useTranslation();
  const language = useLanguage();
  const box = useRef<HTMLDivElement>(null);
  const { data: all } = useQuery(channelQueries.all());
  const [start, setStart] = useState<Start | null>(null);
  const ready = all?.channels.filter(({ state, events }) => state === 'verified' && events.includes('ask_first')) ?? [];
  const offered = all?.offered.filter(takesQuestions) ?? [];
  const found = ready.length > 0;
  if (!all || (!found && offered.length === 0)) return null;
  // The pressed button may have been removed. The focus then moves to this box.
  const catchFocus = () =>
    setTimeout(() => document.activeElement === document.body && box.current?.focus({ preventScroll: true }), SETTLED_MS);
  const close = () => {
    setStart(null);
    catchFocus();
  };
  const names = [...new Set(ready.map(({ kind }) => t(`channels.kind.${kind}`)))];
  return (
    <div ref={box} tabIndex={-1} className={styles.faster}>
      {found ? (
        <Alert tone="ok" live="status">
          {t('reach.faster.done', { name: joined(names, language) })}
        </Alert>
      ) : (
        <Alert tone="warning" title={t(all.email.on ? 'reach.faster.only' : 'reach.faster.none')}>
          <Ways all={all} offered={offered} onStart={setStart} onAdded={catchFocus} />
        </Alert>
      )}
      {start && <AddDialog all={{ ...all, offered }} start={start} onClose={close} onMissing={close} />}
    </div>
  );
}

interface WaysProps {
  all: Channels;
  /** Kinds of channels that the user can add here. */
  offered: ChannelKind[];
  onStart: (start: Start) => void;
  onAdded: () => void;
}

/**
 * Renders a button that subscribes this browser, if possible, and a button that opens the dialog.
 */
function Ways({ all, offered, onStart, onAdded }: WaysProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [support] = useState(pushSupport);
  const key = offered.includes('web_push') ? all.web_push_key : null;
  const push = useMutation({ mutationFn: (key: string) => addPush(key, language), onSuccess: onAdded });
  const atOnce = key !== null && support === 'ready';
  const { error } = push;
  return (
    <Stack gap={3}>
      <Text variant="small">{t('reach.faster.text')}</Text>
      <div className={styles.buttons}>
        {key !== null && support !== 'missing' && (
          <Button
            size="small"
            loading={push.isPending}
            onClick={() => (atOnce ? push.mutate(key) : onStart({ kind: 'web_push' }))}
          >
            {t('reach.faster.push')}
          </Button>
        )}
        {(['telegram', 'wx_pusher'] as const).map(
          (kind) =>
            offered.includes(kind) && (
              <Button key={kind} variant="secondary" size="small" onClick={() => onStart({ kind })}>
                {kind === 'wx_pusher' ? t('reach.faster.wxPusher') : t('channels.kind.telegram')}
              </Button>
            ),
        )}
        <Button variant="ghost" size="small" onClick={() => onStart({})}>
          {t('reach.faster.other')}
        </Button>
      </div>
      {atOnce && (
        <Text variant="caption" color="secondary">
          {t('reach.faster.agree', { sent: t('reach.sent.all') })}
        </Text>
      )}
      {error instanceof PushRefused ? (
        <Alert tone="error">{t(refusals[error.why]) as string}</Alert>
      ) : (
        <ChannelProblem error={error} fallback="reach.addFailed" kind="web_push" />
      )}
    </Stack>
  );
}
