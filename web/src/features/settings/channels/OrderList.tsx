import { useMutation } from '@tanstack/react-query';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { channelQueries } from '../../../parts/channels/queries.ts';
import styles from '../../../parts/channels/setup/channels.module.css';
import { reloadChannels } from '../../../parts/channels/setup/remember.ts';
import type { Channel, Channels } from '../../../shared/api/channels.ts';
import { answer, client } from '../../../shared/api/client.ts';
import { queryClient } from '../../../shared/api/queries.ts';
import { FoldButton } from '../../../shared/ui/FoldButton.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { IconButton } from '../../../shared/ui/IconButton.tsx';
import { Text } from '../../../shared/ui/Text.tsx';
import { toast } from '../../../shared/ui/toasts.ts';

const { queryKey } = channelQueries.all();

/** Returns the channels with one moved from index `from` to index `to`. */
function moved(channels: readonly Channel[], from: number, to: number): Channel[] {
  const rest = channels.filter((_, at) => at !== from);
  return [...rest.slice(0, to), ...channels.slice(from, from + 1), ...rest.slice(to)];
}

/**
 * Renders the order in which channels are tried until one accepts a message. Buttons move a channel
 * up or down.
 */
export function OrderList({ channels }: { channels: Channel[] }) {
  const { t } = useTranslation();
  const listId = useId();
  const [open, setOpen] = useState(false);
  const save = useMutation({
    mutationFn: (ids: string[]) => answer(client.PUT('/user/channels/order', { body: { ids } })),
    onError: () => {
      toast.error(t('reach.orderFailed'));
      void reloadChannels();
    },
  });
  const move = (from: number, to: number) => {
    const order = moved(channels, from, to);
    queryClient.setQueryData<Channels>(queryKey, (all) => all && { ...all, channels: order });
    save.mutate(order.map(({ id }) => id));
  };
  return (
    <div>
      <FoldButton open={open} controls={listId} onToggle={() => setOpen(!open)}>
        {t('reach.order')}
      </FoldButton>
      <div id={listId} hidden={!open} className={styles.order}>
        <Text variant="caption" color="secondary">
          {t('reach.orderText')}
        </Text>
        <ol>
          {channels.map(({ id, kind, label }, at) => {
            const what = `${t(`channels.kind.${kind}`)} ${label}`.trim();
            return (
              <li key={id} className={styles.placed}>
                <span>{`${at + 1}. ${what}`}</span>
                <IconButton
                  label={t('reach.up', { what })}
                  disabled={at === 0 || save.isPending}
                  onClick={() => move(at, at - 1)}
                >
                  <Icon of={ArrowUp} />
                </IconButton>
                <IconButton
                  label={t('reach.down', { what })}
                  disabled={at === channels.length - 1 || save.isPending}
                  onClick={() => move(at, at + 1)}
                >
                  <Icon of={ArrowDown} />
                </IconButton>
              </li>
            );
          })}
        </ol>
      </div>
    </div>
  );
}
