import { BellRing, type LucideIcon, Mail, MessageSquare, MessagesSquare, Send, Smartphone, Users, Webhook } from 'lucide-react';
import type { ChannelKind } from '../../shared/api/channels.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';

/** Group of channels in the choice of a new channel. */
export type ChannelGroup = 'device' | 'chat' | 'app' | 'group' | 'other';

/** Groups in the order of display. */
export const channelGroups: readonly ChannelGroup[] = ['device', 'chat', 'app', 'group', 'other'];

export const groupOf: Record<ChannelKind, ChannelGroup> = {
  web_push: 'device',
  telegram: 'chat',
  wx_pusher: 'chat',
  server_chan: 'chat',
  push_plus: 'chat',
  bark: 'app',
  ntfy: 'app',
  pushover: 'app',
  we_com: 'group',
  ding_talk: 'group',
  feishu: 'group',
  discord: 'group',
  slack: 'group',
  sms: 'other',
  webhook: 'other',
};

const groupIcons: Record<ChannelGroup, LucideIcon> = {
  device: BellRing,
  chat: MessagesSquare,
  app: Smartphone,
  group: Users,
  other: Webhook,
};

/**
 * Returns the name of a message's recipient for a sentence. For most channels it is the name of the
 * company.
 */
export function takerTexts(kind: ChannelKind): `channels.${'kind' | 'taker'}.${ChannelKind}` & TextKey {
  return kind === 'web_push' || kind === 'sms' || kind === 'webhook' ? `channels.taker.${kind}` : `channels.kind.${kind}`;
}

/** Returns the icon of a kind of channel. */
export function channelIcon(kind: ChannelKind | 'email'): LucideIcon {
  if (kind === 'email') return Mail;
  if (kind === 'telegram') return Send;
  if (kind === 'sms') return MessageSquare;
  return groupIcons[groupOf[kind]];
}
