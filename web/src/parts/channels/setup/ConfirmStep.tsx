import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Channel } from '../../../shared/api/channels.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Inset } from '../../../shared/ui/Card.tsx';
import { Text } from '../../../shared/ui/Text.tsx';
import { ChannelProblem } from './ChannelProblem.tsx';
import { confirmChannel } from './calls.ts';
import styles from './channels.module.css';
import { Step } from './Step.tsx';

interface Props {
  channel: Channel;
  onConfirmed: (channel: Channel) => void;
  onNotMe: () => void;
}

/**
 * Renders the step in which the user confirms that they opened the link themselves. Another user
 * may have opened it.
 */
export function ConfirmStep({ channel, onConfirmed, onNotMe }: Props) {
  const { t } = useTranslation();
  const confirm = useMutation({
    mutationFn: () => confirmChannel(channel.id),
    onSuccess: onConfirmed,
  });
  return (
    <Step
      label={t('reach.isThisYou')}
      onSubmit={() => confirm.mutate()}
      actions={
        <>
          <Button variant="ghost" disabled={confirm.isPending} onClick={onNotMe}>
            {t('reach.notMe')}
          </Button>
          <Button type="submit" loading={confirm.isPending}>
            {t('reach.isMe')}
          </Button>
        </>
      }
    >
      <Text role="status">{t('reach.isThisYou')}</Text>
      <Inset className={styles.person}>{channel.linked_as ?? channel.label}</Inset>
      <Text variant="small" color="secondary">
        {t('reach.isThisYouText')}
      </Text>
      <ChannelProblem error={confirm.error} fallback="reach.verifyFailed" kind={channel.kind} />
    </Step>
  );
}
