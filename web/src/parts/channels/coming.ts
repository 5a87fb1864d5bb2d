import type { TextKey } from '../../shared/i18n/textKey.ts';

/** Names of channels to announce as planned, for servers that offer only mail. */
export const comingChannels: TextKey[] = ['settings.channelWechat', 'settings.channelSms', 'settings.channelPush'];
