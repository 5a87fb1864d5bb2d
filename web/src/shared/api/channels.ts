import type { Schemas } from './types.ts';

/**
 * Kind of a channel that users add themselves. Mail is excluded, because it always goes to the
 * address of the account.
 */
export type ChannelKind = Exclude<Schemas['ChannelKind'], 'email'>;
/** Event that a channel can be notified of. */
export type ChannelEvent = Schemas['ChannelEvent'];
/** Reason why a channel did not accept a message. */
export type ChannelReason = Schemas['ChannelReason'];
/** A notification channel of a user. */
export type Channel = Omit<Schemas['Channel'], 'kind'> & { kind: ChannelKind };
/** Quiet hours and digest of a user. */
export type QuietSetting = Schemas['NotificationSetting'];
/** Channels that this server offers, and the channels that the user has added. */
export type Channels = Omit<Schemas['Channels'], 'offered' | 'channels'> & { offered: ChannelKind[]; channels: Channel[] };
/** Result of the button *Send test*. */
export type ChannelTest = Schemas['ChannelTested'];
/** Target of a channel, with its secrets. */
export type ChannelTarget = Schemas['ChannelTarget'];
/** Push subscription of a browser, as a channel target. */
export type BrowserTarget = Extract<ChannelTarget, { kind: 'web_push' }>;

/** Narrows the channel kind of a response. The type includes mail, but no response contains it. */
export const asChannel = (view: Schemas['Channel']) => view as Channel;
export const asChannels = (view: Schemas['Channels']) => view as Channels;

/** Notification as sent over one channel. */
export type Notified = Schemas['Notified'];
export type NotifiedPage = Schemas['NotifiedPage'];
