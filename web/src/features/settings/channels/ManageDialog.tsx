import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { groupOf } from '../../../parts/channels/kinds.ts';
import { changeChannel, removeChannel } from '../../../parts/channels/setup/calls.ts';
import styles from '../../../parts/channels/setup/channels.module.css';
import { forgetChannel, rememberChannel } from '../../../parts/channels/setup/remember.ts';
import { unsubscribe } from '../../../parts/channels/setup/webPush.ts';
import type { Channel, ChannelEvent } from '../../../shared/api/channels.ts';
import { ownPush } from '../../../shared/browser/ownPush.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Checkbox, Switch } from '../../../shared/ui/Checkbox.tsx';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { Text } from '../../../shared/ui/Text.tsx';
import { toast } from '../../../shared/ui/toasts.ts';
import { FormDialog } from '../FormDialog.tsx';

interface Props {
  channel: Channel;
  onClose: () => void;
  onRemoved: () => void;
}

/** Renders the dialog that manages a channel: its events, its switch, and its removal. */
export function ManageDialog({ channel, onClose, onRemoved }: Props) {
  const { t } = useTranslation();
  const [removing, setRemoving] = useState(false);
  const [events, setEvents] = useState<readonly ChannelEvent[]>(channel.events);
  const [on, setOn] = useState(channel.state !== 'off');
  const { id, kind, label } = channel;
  const name = t(`channels.kind.${kind}`);
  const what = label ? `${name} ${label}` : name;
  const pending = channel.state === 'pending';
  const save = useMutation({
    mutationFn: () => {
      const switched = on !== (channel.state !== 'off') && !pending;
      const body = { events: [...events], ...(switched && { on }) };
      return changeChannel(id, body);
    },
    onSuccess: (saved) => {
      rememberChannel(saved);
      toast.success(t('reach.saved'));
      onClose();
    },
  });
  if (removing) return <RemoveDialog channel={channel} what={what} onClose={() => setRemoving(false)} onRemoved={onRemoved} />;
  const choices = channel.possible_events;
  const fixed = kind === 'sms';
  return (
    <FormDialog
      title={what}
      send={t('reach.save')}
      sending={save.isPending}
      error={save.error}
      fallback="reach.saveFailed"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
      onClose={onClose}
    >
      {!pending && (
        <Switch
          label={t('reach.on')}
          hint={t('reach.onHint')}
          checked={on}
          disabled={save.isPending}
          onChange={(event) => setOn(event.target.checked)}
        />
      )}
      <fieldset className={styles.events}>
        <legend>{t('reach.events')}</legend>
        {(fixed || groupOf[kind] === 'group') && (
          <Text variant="caption" color="secondary">
            {t(fixed ? 'reach.eventsSms' : 'reach.eventsGroup')}
          </Text>
        )}
        {choices.map((event) => (
          <Checkbox
            key={event}
            label={t(`channels.event.${event}`)}
            hint={t(`reach.eventHint.${event}`)}
            checked={fixed || events.includes(event)}
            disabled={fixed || save.isPending}
            onChange={({ target }) => setEvents(target.checked ? [...events, event] : events.filter((one) => one !== event))}
          />
        ))}
      </fieldset>
      <Button variant="dangerText" size="small" className={styles.remove} onClick={() => setRemoving(true)}>
        {t('reach.remove')}
      </Button>
    </FormDialog>
  );
}

function RemoveDialog({ channel, what, onClose, onRemoved }: Props & { what: string }) {
  const { t } = useTranslation();
  const remove = useMutation({
    mutationFn: async () => {
      await removeChannel(channel.id);
      if (ownPush()?.id === channel.id) await unsubscribe().catch(() => undefined);
    },
    onSuccess: () => {
      forgetChannel(channel.id);
      toast.success(t('reach.removed', { what }));
      onRemoved();
    },
  });
  return (
    <ConfirmDialog
      title={t('reach.removeTitle', { what })}
      confirm={t('reach.remove')}
      grave
      busy={remove.isPending}
      error={remove.error}
      fallback="reach.removeFailed"
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <span>{t('reach.removeText')}</span>
    </ConfirmDialog>
  );
}
