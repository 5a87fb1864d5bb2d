import type { Schemas } from './types.ts';

/** A way to reach somebody that they add themselves. Mail is none: it goes to the account's address. */
export type ChannelKind = Exclude<Schemas['ChannelKind'], 'email'>;
/** What somebody can be told. */
export type ChannelEvent = Schemas['ChannelEvent'];
/** Why a message is not taken. */
export type ChannelReason = Schemas['ChannelReason'];
/** A way by which somebody is reached. */
export type Channel = Omit<Schemas['Channel'], 'kind'> & { kind: ChannelKind };
/** When somebody is not to be disturbed, and whether they want a digest. */
export type QuietSetting = Schemas['NotificationSetting'];
/** What this server offers, and what somebody has of it. */
export type Channels = Omit<Schemas['Channels'], 'offered' | 'channels'> & { offered: ChannelKind[]; channels: Channel[] };
/** What came of *Send test*. */
export type ChannelTest = Schemas['ChannelTested'];
/** Where a channel leads, with its secrets. */
export type ChannelTarget = Schemas['ChannelTarget'];
/** A browser, as its push service knows it. */
export type BrowserTarget = Extract<ChannelTarget, { kind: 'web_push' }>;

/** Nobody adds mail. */
export const asChannel = (view: Schemas['Channel']) => view as Channel;
export const asChannels = (view: Schemas['Channels']) => view as Channels;

/** Something that was to be told over one channel. */
export type Notified = Schemas['Notified'];
export type NotifiedPage = Schemas['NotifiedPage'];
