import { useQuery } from '@tanstack/react-query';
import { Check, Mail, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { comingChannels } from '../../../parts/channels/coming.ts';
import { HistoryFold } from '../../../parts/channels/HistoryFold.tsx';
import { channelQueries } from '../../../parts/channels/queries.ts';
import type { Start } from '../../../parts/channels/setup/AddDialog.tsx';
import styles from '../../../parts/channels/setup/channels.module.css';
import { reloadChannels } from '../../../parts/channels/setup/remember.ts';
import type { Channel, Channels } from '../../../shared/api/channels.ts';
import { Badge } from '../../../shared/ui/Badge.tsx';
import { Button } from '../../../shared/ui/Button.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { Text } from '../../../shared/ui/Text.tsx';
import { catchFocus } from '../catchFocus.ts';
import { Loaded } from '../Section.tsx';
import settings from '../settings.module.css';
import { ChannelRow } from './ChannelRow.tsx';
import { AddDialog, ManageDialog, TimesDialog } from './lazyParts.ts';
import { OrderList } from './OrderList.tsx';
import { TimesRow } from './TimesRow.tsx';

type Open = { add: Start } | { manage: Channel } | 'times' | null;

/**
 * Renders all notification channels of the user: mail, added channels, quiet hours, and the
 * delivery history.
 */
export function ChannelsPanel() {
  const query = useQuery(channelQueries.all());
  return (
    <Loaded query={query} rows={2} failed="channels.failed">
      {(all) => <Panel all={all} />}
    </Loaded>
  );
}

function Panel({ all }: { all: Channels }) {
  const [open, setOpen] = useState<Open>(null);
  const close = () => {
    setOpen(null);
    catchFocus('notifications');
  };
  const onAdd = (add: Start) => setOpen({ add });
  const some = all.offered.length > 0 || all.channels.length > 0;
  return (
    <>
      <ul className={settings.list}>
        {all.email.on && <MailRow address={all.email.address} />}
        {all.channels.map((channel) => (
          <li key={channel.id}>
            <ChannelRow channel={channel} onContinue={onAdd} onManage={() => setOpen({ manage: channel })} />
          </li>
        ))}
        {!some && <Coming />}
      </ul>
      {!all.email.on && some && <NoMail />}
      {window.isSecureContext === false && <NoPush />}
      {all.offered.length > 0 && <AddButton all={all} onAdd={() => onAdd({})} />}
      {all.channels.length > 1 && <OrderList channels={all.channels} />}
      {some && <TimesRow setting={all.setting} onChange={() => setOpen('times')} />}
      <HistoryFold />
      {open === 'times' && <TimesDialog setting={all.setting} onClose={close} onMissing={close} />}
      {open !== null && open !== 'times' && 'add' in open && (
        <AddDialog all={all} start={open.add} onClose={close} onMissing={close} />
      )}
      {open !== null && open !== 'times' && 'manage' in open && (
        <ManageDialog
          channel={all.channels.find(({ id }) => id === open.manage.id) ?? open.manage}
          onClose={close}
          onMissing={close}
          onRemoved={() => {
            void reloadChannels();
            close();
          }}
        />
      )}
    </>
  );
}

/** Renders the channel mail. It always uses the address of the account and cannot be removed. */
function MailRow({ address }: { address: string }) {
  const { t } = useTranslation();
  return (
    <li className={styles.channel}>
      <Icon of={Mail} className={styles.sign} />
      <div className={styles.words}>
        <p className={styles.head}>
          <Text as="span" variant="strong">
            {t('channels.kind.email')}
          </Text>
          <Badge tone="ok" icon={Check}>
            {t('channels.state.verified')}
          </Badge>
        </p>
        <Text variant="small" color="secondary" className={styles.label}>
          {address}
        </Text>
        <Text variant="caption" color="tertiary">
          {t('reach.mailAlways')}
        </Text>
      </div>
    </li>
  );
}

function Coming() {
  const { t } = useTranslation();
  return comingChannels.map((channel) => (
    <li key={channel} className={styles.coming}>
      {t(channel) as string}
      <Badge tone="quiet">{t('settings.comingSoon')}</Badge>
    </li>
  ));
}

function NoMail() {
  const { t } = useTranslation();
  return (
    <Text variant="small" color="secondary">
      {t('reach.noMail')}
    </Text>
  );
}

/** Renders the reason why push messages are unavailable: browsers require HTTPS. */
function NoPush() {
  const { t } = useTranslation();
  return (
    <Text variant="small" color="secondary">
      {t('reach.push.plainHttp')}
    </Text>
  );
}

function AddButton({ all, onAdd }: { all: Channels; onAdd: () => void }) {
  const { t } = useTranslation();
  if (all.channels.length >= all.at_most)
    return (
      <Text variant="small" color="secondary">
        {t('reach.full', { count: all.at_most })}
      </Text>
    );
  return (
    <Button
      variant={all.channels.length === 0 ? 'primary' : 'secondary'}
      size="small"
      start={<Icon of={Plus} size={16} />}
      className={settings.own}
      onClick={onAdd}
    >
      {t('reach.add')}
    </Button>
  );
}
