import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel, ChannelKind, Channels } from '../../../shared/api/channels.ts';
import { Dialog } from '../../../shared/ui/Dialog.tsx';
import { CodeStep } from './CodeStep.tsx';
import { ConfirmStep } from './ConfirmStep.tsx';
import { removeChannel } from './calls.ts';
import { DoneStep } from './DoneStep.tsx';
import { FormStep } from './FormStep.tsx';
import { KindStep } from './KindStep.tsx';
import { AskLinkStep, LinkStep } from './LinkStep.tsx';
import { PushStep } from './PushStep.tsx';
import { forgetChannel, reloadChannels, rememberChannel } from './remember.ts';

/**
 * Starting point of the dialog: the choice of a kind, one kind (to replace a broken channel), or an
 * unfinished setup.
 */
export interface Start {
  kind?: ChannelKind;
  replaces?: string;
  channel?: Channel;
}

interface Props {
  all: Channels;
  start: Start;
  onClose: () => void;
}

const remove = (id: string) =>
  removeChannel(id).then(
    () => forgetChannel(id),
    () => reloadChannels(),
  );

/**
 * Renders the dialog that adds a channel: the choice of a kind, the consent, a link or a form, and
 * the proof that the user owns the target.
 */
export function AddDialog({ all, start, onClose }: Props) {
  const { t } = useTranslation();
  const [kind, setKind] = useState(start.channel?.kind ?? start.kind ?? null);
  const [made, setMade] = useState(start.channel ?? null);
  const channel = all.channels.find(({ id }) => id === made?.id) ?? made;
  const add = (next: Channel) => {
    rememberChannel(next);
    setMade(next);
    if (next.state === 'verified' && start.replaces) void remove(start.replaces);
  };
  const close = () => {
    // The user did not open the link, so the unfinished channel is deleted.
    if (channel?.waits_for === 'link') void remove(channel.id);
    onClose();
  };
  const back = start.kind ? undefined : () => setKind(null);
  const startOver = (gone: Channel) => {
    void remove(gone.id);
    setMade(null);
  };
  return (
    <Dialog
      open
      bare
      fullOnPhone
      size="medium"
      onClose={close}
      title={kind ? t('reach.addKind', { name: t(`channels.kind.${kind}`) }) : t('reach.add')}
    >
      {kind === null ? (
        <KindStep offered={all.offered} onPick={setKind} />
      ) : channel === null ? (
        <NewStep kind={kind} all={all} onAdded={add} onBack={back} />
      ) : channel.state !== 'pending' ? (
        <DoneStep channel={channel} onClose={close} />
      ) : channel.waits_for === 'code' ? (
        <CodeStep channel={channel} onVerified={add} onClose={close} />
      ) : channel.waits_for === 'confirmation' ? (
        <ConfirmStep channel={channel} onConfirmed={add} onNotMe={() => startOver(channel)} />
      ) : (
        <LinkStep channel={channel} onAgain={() => startOver(channel)} onClose={close} />
      )}
    </Dialog>
  );
}

interface NewProps {
  kind: ChannelKind;
  all: Channels;
  onAdded: (channel: Channel) => void;
  onBack?: () => void;
}

/** Renders the step before the channel exists, with the consent. */
function NewStep({ kind, ...rest }: NewProps) {
  if (kind === 'web_push') return <PushStep {...rest} />;
  if (kind === 'telegram' || kind === 'wx_pusher') return <AskLinkStep kind={kind} {...rest} />;
  return <FormStep kind={kind} {...rest} />;
}
