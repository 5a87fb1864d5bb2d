import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '../../../shared/api/channels.ts';
import { bareCode } from '../../../shared/forms/schemas.ts';
import { useCountdown } from '../../../shared/hooks/useCountdown.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Text } from '../../../shared/ui/Text.tsx';
import { TextField } from '../../../shared/ui/TextField.tsx';
import { toast } from '../../../shared/ui/toasts.ts';
import { ChannelProblem } from './ChannelProblem.tsx';
import { resendCode, verifyChannel } from './calls.ts';
import styles from './channels.module.css';
import { codeProblem } from './problem.ts';
import { rememberChannel } from './remember.ts';
import { Step } from './Step.tsx';

/** Delay before the user can request another code, because messages may take a while. */
const AGAIN_SECONDS = 30;

interface Props {
  channel: Channel;
  onVerified: (channel: Channel) => void;
  onClose: () => void;
}

/**
 * Renders the step in which the user enters the six digits sent over the channel. They prove that
 * the user owns the target.
 */
export function CodeStep({ channel, onVerified, onClose }: Props) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const [format, setFormat] = useState(false);
  const [left, wait] = useCountdown(AGAIN_SECONDS);
  const verify = useMutation({
    mutationFn: (code: string) => verifyChannel(channel.id, code),
    onSuccess: onVerified,
  });
  const resend = useMutation({
    mutationFn: () => resendCode(channel.id),
    onSuccess: (same) => {
      rememberChannel(same);
      verify.reset();
      wait(AGAIN_SECONDS);
      toast.success(t('reach.codeSentAgain'));
    },
  });
  const submit = () => {
    const bare = bareCode(code);
    setFormat(!/^\d{6}$/.test(bare));
    if (/^\d{6}$/.test(bare)) verify.mutate(bare);
  };
  const wrong = format ? 'reach.codeFormat' : codeProblem(verify.error);
  const name = t(`channels.kind.${channel.kind}`);
  return (
    <Step
      label={t('reach.addKind', { name })}
      onSubmit={submit}
      actions={
        <>
          <Button variant="ghost" disabled={verify.isPending} onClick={onClose}>
            {t('reach.later')}
          </Button>
          <Button type="submit" loading={verify.isPending}>
            {t('reach.verify')}
          </Button>
        </>
      }
    >
      <Text>{t('reach.codeSent', { name, label: channel.label })}</Text>
      <TextField
        code
        label={t('reach.enterCode')}
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={9}
        disabled={verify.isPending}
        value={code}
        error={wrong ? (t(wrong) as string) : undefined}
        onChange={(event) => {
          setCode(event.target.value);
          setFormat(false);
        }}
      />
      {!wrong && <ChannelProblem error={verify.error} fallback="reach.verifyFailed" kind={channel.kind} />}
      <div className={styles.again}>
        <Text variant="small" color="secondary">
          {t('reach.noCode')}
        </Text>
        <Button variant="text" size="small" disabled={left > 0} loading={resend.isPending} onClick={() => resend.mutate()}>
          {left > 0 ? t('reach.resendIn', { count: left }) : t('reach.resend')}
        </Button>
      </div>
      <ChannelProblem error={resend.error} fallback="reach.resendFailed" kind={channel.kind} />
    </Step>
  );
}
