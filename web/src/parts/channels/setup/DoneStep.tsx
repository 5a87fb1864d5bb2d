import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Channel } from '../../../shared/api/channels.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button } from '../../../shared/ui/Button.tsx';
import { ChannelProblem } from './ChannelProblem.tsx';
import { testChannel } from './calls.ts';
import { reloadChannels } from './remember.ts';
import { Step } from './Step.tsx';
import { TestResult } from './TestResult.tsx';

/** Renders the last step: the channel is on, and the user can send a test message. */
export function DoneStep({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const { t } = useTranslation();
  const name = t(`channels.kind.${channel.kind}`);
  const test = useMutation({
    mutationFn: () => testChannel(channel.id),
    onSettled: () => void reloadChannels(),
  });
  return (
    <Step
      label={t('reach.added', { name })}
      onSubmit={onClose}
      actions={
        <>
          <Button variant="secondary" loading={test.isPending} onClick={() => test.mutate()}>
            {t('reach.test')}
          </Button>
          <Button type="submit">{t('reach.done')}</Button>
        </>
      }
    >
      <Alert tone="ok" live="status" title={t('reach.added', { name })}>
        {t('reach.addedText')}
      </Alert>
      {test.data && <TestResult result={test.data} kind={channel.kind} />}
      <ChannelProblem error={test.error} fallback="reach.testFailed" kind={channel.kind} />
    </Step>
  );
}
