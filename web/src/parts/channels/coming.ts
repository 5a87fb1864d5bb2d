import type { Words } from '../../shared/i18n/words.ts';

/** Channels shown as coming if the server offers only mail. */
export const comingChannels: Words[] = ['settings.channelWechat', 'settings.channelSms', 'settings.channelPush'];
