import type { TextKey } from '../../shared/i18n/textKey.ts';

/** Channels shown as coming if the server offers only mail. */
export const comingChannels: TextKey[] = ['settings.channelWechat', 'settings.channelSms', 'settings.channelPush'];
