import type { Words } from '../../shared/i18n/words.ts';

/** What is named as coming where a server offers nothing but mail. */
export const comingChannels: Words[] = ['settings.channelWechat', 'settings.channelSms', 'settings.channelPush'];
