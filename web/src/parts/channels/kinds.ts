import { BellRing, type LucideIcon, Mail, MessageSquare, MessagesSquare, Send, Smartphone, Users, Webhook } from 'lucide-react';
import type { ChannelKind } from '../../shared/api/channels.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';

/** Groups of channels by the user's goal. */
export type ChannelGroup = 'device' | 'chat' | 'app' | 'group' | 'other';

/** The groups in their displayed order. */
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
 * Returns the recipient of a message for a sentence. Most channels are called by the company's
 * name.
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
