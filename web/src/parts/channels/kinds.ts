import { BellRing, type LucideIcon, Mail, MessageSquare, MessagesSquare, Send, Smartphone, Users, Webhook } from 'lucide-react';
import type { ChannelKind } from '../../shared/api/channels.ts';
import type { Words } from '../../shared/i18n/words.ts';

/** What people look for when they look for a channel. */
export type ChannelGroup = 'device' | 'chat' | 'app' | 'group' | 'other';

/** The groups in the order they are offered in. */
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

/** Who takes a message, as a sentence names them: most channels are called by the name of the company. */
export function takerWords(kind: ChannelKind): `channels.${'kind' | 'taker'}.${ChannelKind}` & Words {
  return kind === 'web_push' || kind === 'sms' || kind === 'webhook' ? `channels.taker.${kind}` : `channels.kind.${kind}`;
}

/** The sign of a kind of channel. */
export function channelIcon(kind: ChannelKind | 'email'): LucideIcon {
  if (kind === 'email') return Mail;
  if (kind === 'telegram') return Send;
  if (kind === 'sms') return MessageSquare;
  return groupIcons[groupOf[kind]];
}
