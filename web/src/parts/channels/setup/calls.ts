import { asChannel, type ChannelEvent, type ChannelTarget } from '../../../shared/api/channels.ts';
import { answer, client } from '../../../shared/api/client.ts';
import type { Language } from '../../../shared/i18n/language.ts';

const ofChannel = (id: string) => ({ path: { id } });

/** Adds a channel with a typed target. The form requires the user's consent. */
export const addChannel = (target: ChannelTarget, language: Language, replaces?: { id: string; endpoint: string }) =>
  answer(client.POST('/user/channels', { body: { target, consent: true, language, replaces } })).then(asChannel);

/** Adds a channel that is completed when the user opens its link. */
export const linkChannel = (kind: 'telegram' | 'wx_pusher') =>
  answer(client.POST('/user/channels/link', { body: { kind, consent: true } })).then(asChannel);

/** Confirms a channel (button *This is me*). */
export const confirmChannel = (id: string) =>
  answer(client.POST('/user/channels/{id}/confirm', { params: ofChannel(id) })).then(asChannel);

export const verifyChannel = (id: string, code: string) =>
  answer(client.POST('/user/channels/{id}/verify', { params: ofChannel(id), body: { code } })).then(asChannel);

export const resendCode = (id: string) =>
  answer(client.POST('/user/channels/{id}/resend', { params: ofChannel(id) })).then(asChannel);

/** Sends a test message and returns the provider's answer. */
export const testChannel = (id: string) => answer(client.POST('/user/channels/{id}/test', { params: ofChannel(id) }));

export const changeChannel = (id: string, body: { events: ChannelEvent[]; on?: boolean }) =>
  answer(client.PUT('/user/channels/{id}', { params: ofChannel(id), body })).then(asChannel);

export const removeChannel = (id: string) => answer(client.DELETE('/user/channels/{id}', { params: ofChannel(id) }));
