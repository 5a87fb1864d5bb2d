import type { Schemas } from './types.ts';

/** A channel that users add themselves. Mail is none, because it goes to the account's address. */
export type ChannelKind = Exclude<Schemas['ChannelKind'], 'email'>;
/** Events with notifications. */
export type ChannelEvent = Schemas['ChannelEvent'];
/** Reasons why a message is refused. */
export type ChannelReason = Schemas['ChannelReason'];
/** A notification channel of a user. */
export type Channel = Omit<Schemas['Channel'], 'kind'> & { kind: ChannelKind };
/** Quiet hours and digest of a user. */
export type QuietSetting = Schemas['NotificationSetting'];
/** Channels that this server offers, and those of the user. */
export type Channels = Omit<Schemas['Channels'], 'offered' | 'channels'> & { offered: ChannelKind[]; channels: Channel[] };
/** Result of *Send test*. */
export type ChannelTest = Schemas['ChannelTested'];
/** Target of a channel, with its secrets. */
export type ChannelTarget = Schemas['ChannelTarget'];
/** A browser, as its push service knows it. */
export type BrowserTarget = Extract<ChannelTarget, { kind: 'web_push' }>;

/** Users never add mail. */
export const asChannel = (view: Schemas['Channel']) => view as Channel;
export const asChannels = (view: Schemas['Channels']) => view as Channels;

/** A notification for one channel. */
export type Notified = Schemas['Notified'];
export type NotifiedPage = Schemas['NotifiedPage'];
