import type { Channel, ChannelEvent, ChannelKind, ChannelReason, ChannelTest, QuietSetting } from '../src/shared/api/channels.ts';
import { fail, type Handlers, ok } from './api.ts';
import { picture } from './qr.ts';
import { ago } from './story.ts';
import type { World } from './world.ts';

/**
 * Channels of a user. The mail address chooses the scene: mailonly… is a server with mail only,
 * nomail… a server without mail, fresh… a user without channels.
 */
interface UserChannels {
  email: string;
  channels: Channel[];
  setting: QuietSetting;
  isSettingChosen: boolean;
  /** Number of requests since a link was shown. After some requests the link counts as opened. */
  asked: number;
}

const OFFERED: ChannelKind[] = [
  'web_push',
  'telegram',
  'wx_pusher',
  'server_chan',
  'push_plus',
  'we_com',
  'ding_talk',
  'feishu',
  'bark',
  'ntfy',
  'pushover',
  'discord',
  'slack',
  'webhook',
  'sms',
];
const CODE = '123456';
const MOST = 20;
/** Number of requests after which a link counts as opened. */
const ASKED_BEFORE_LINKED = 2;

const ALL: ChannelEvent[] = ['booked', 'needs_you', 'security', 'ask_first', 'opening'];
const GROUPS = new Set<ChannelKind>(['we_com', 'ding_talk', 'feishu', 'discord', 'slack']);
const eventsOf = (kind: ChannelKind): ChannelEvent[] =>
  kind === 'sms' ? ['booked', 'needs_you'] : GROUPS.has(kind) ? ['booked', 'opening'] : ALL;

const channel = (over: Partial<Channel> & Pick<Channel, 'id' | 'kind'>): Channel => ({
  label: '…3f2a',
  state: 'verified',
  reason: null,
  answer: null,
  events: eventsOf(over.kind),
  possible_events: over.kind === 'sms' || GROUPS.has(over.kind) ? eventsOf(over.kind) : [...ALL, 'digest'],
  position: 0,
  created_at: ago(20 * 1_440),
  verified_at: ago(20 * 1_440),
  last_ok_at: ago(185),
  expires_at: null,
  waits_for: null,
  link: null,
  linked_as: null,
  ...over,
});

const added = (): Channel[] => [
  channel({ id: 'n1', kind: 'telegram', label: '@linzhixia' }),
  channel({
    id: 'n2',
    kind: 'server_chan',
    state: 'needs_attention',
    reason: 'credentials',
    answer: '{"code":40001,"message":"[AUTH]用户不存在或者权限不足"}',
    position: 1,
    last_ok_at: ago(3 * 1_440),
  }),
  channel({
    id: 'n3',
    kind: 'sms',
    label: '+1 ••• ••• 0123',
    state: 'pending',
    position: 2,
    verified_at: null,
    last_ok_at: null,
    waits_for: 'code',
  }),
];

const initialChannels = (email: string): UserChannels => ({
  email,
  channels: /^(fresh|mailonly|nomail|empty)/.test(email) ? [] : added(),
  setting: { quiet_from: null, quiet_to: null, zone: 'America/Toronto', questions_at_night: false, digest: 'weekly' },
  isSettingChosen: false,
  asked: 0,
});

const channelsByWorld = new WeakMap<World, UserChannels>();

/** Returns the channels of a world's user. */
export function channelsOf(world: World): UserChannels {
  const kept = channelsByWorld.get(world);
  if (kept?.email === world.email) return kept;
  const fresh = initialChannels(world.email);
  channelsByWorld.set(world, fresh);
  return fresh;
}

const refused = (reason: ChannelReason, answer = '') =>
  fail(422, 'CHANNEL_REFUSED', 'The channel is refused', { reason, answer });
const missing = () => fail(404, 'NOT_FOUND', 'no such channel');

/** Returns the last characters of a secret value, as the server shows it. */
const masked = (target: Record<string, unknown>) => {
  const pasted = [target.phone, target.webhook_url, target.url, target.topic].find((one) => typeof one === 'string');
  const secret = Object.entries(target).find(([name, value]) => name !== 'kind' && typeof value === 'string')?.[1];
  return typeof pasted === 'string' && pasted.startsWith('http')
    ? new URL(pasted).host
    : `…${String(pasted ?? secret ?? '').slice(-4)}`;
};

function put(user: UserChannels, one: Channel): Channel {
  const channelsByWorld = user.channels.findIndex(({ id }) => id === one.id);
  if (channelsByWorld < 0) user.channels.push(one);
  else user.channels[channelsByWorld] = one;
  return one;
}

const verifiedNow = { state: 'verified', waits_for: null, link: null, verified_at: ago(0) } as const;

/** Simulates that the user opens the link, some time after it is shown. */
function follow(user: UserChannels): void {
  const waiting = user.channels.find(({ waits_for }) => waits_for === 'link');
  if (!waiting) return;
  user.asked += 1;
  if (user.asked >= ASKED_BEFORE_LINKED)
    put(user, { ...waiting, waits_for: 'confirmation', link: null, linked_as: '林知夏 (@linzhixia)' });
}

function linking(kind: 'telegram' | 'wx_pusher'): Channel['link'] {
  const url = kind === 'telegram' ? 'https://t.me/sooner_demo_bot?start=Zk3xY9' : 'https://wxpusher.example.com/qr/Zk3xY9';
  return { url, qr: picture(), expires_at: ago(-10) };
}

const fresh = (user: UserChannels, over: Partial<Channel> & Pick<Channel, 'kind'>) =>
  put(
    user,
    channel({
      id: `n${user.channels.length + 10}`,
      state: 'pending',
      position: user.channels.length,
      created_at: ago(0),
      verified_at: null,
      last_ok_at: null,
      ...over,
    }),
  );

/** Handlers of the notification channels. */
export const channels: Handlers = {
  'GET /user/channels': ({ world }) => {
    const user = channelsOf(world);
    follow(user);
    return ok({
      offered: /^mailonly|^nothing/.test(world.email) ? [] : OFFERED,
      email: { on: world.methods.mail && !/^nomail|^nothing/.test(world.email), address: world.email },
      web_push_key: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
      telegram_bot: 'sooner_demo_bot',
      sms_countries: ['CA'],
      channels: [...user.channels].sort((a, b) => a.position - b.position),
      setting: user.setting,
      setting_chosen: user.isSettingChosen,
      at_most: MOST,
    });
  },
  'POST /user/channels': ({ world, body }) => {
    const user = channelsOf(world);
    const { kind } = body.target;
    if (Object.values(body.target).some((value) => value?.includes('127.0.0.1'))) return refused('address_refused');
    if (Object.values(body.target).some((value) => value?.includes('wrong'))) return refused('credentials', '{"code":401}');
    if (kind === 'web_push') return ok(fresh(user, { kind, label: 'fcm.googleapis.com', ...verifiedNow, last_ok_at: ago(0) }));
    return ok(fresh(user, { kind, label: masked(body.target), waits_for: 'code' }));
  },
  'POST /user/channels/link': ({ world, body }) => {
    const user = channelsOf(world);
    user.asked = 0;
    return ok(fresh(user, { kind: body.kind, label: '', waits_for: 'link', link: linking(body.kind) }));
  },
  'POST /user/channels/{id}/confirm': ({ world, id }) => {
    const user = channelsOf(world);
    const one = user.channels.find((other) => other.id === id);
    return one ? ok(put(user, { ...one, ...verifiedNow, label: '@linzhixia' })) : missing();
  },
  'POST /user/channels/{id}/verify': ({ world, id, body }) => {
    const user = channelsOf(world);
    const one = user.channels.find((other) => other.id === id);
    if (!one) return missing();
    return body.code === CODE
      ? ok(put(user, { ...one, ...verifiedNow }))
      : fail(422, 'CHANNEL_CODE_WRONG', 'The code is wrong', { tries_left: 4 });
  },
  'POST /user/channels/{id}/resend': ({ world, id }) => {
    const one = channelsOf(world).channels.find((other) => other.id === id);
    return one ? ok(one) : missing();
  },
  'POST /user/channels/{id}/test': ({ world, id }) => {
    const one = channelsOf(world).channels.find((other) => other.id === id);
    if (!one) return missing();
    const taken = '{"ok":true,"result":{"message_id":4711}}';
    const result: ChannelTest = { outcome: 'accepted', reason: null, answer: taken, at: ago(0) };
    if (one.reason) Object.assign(result, { outcome: 'broken', reason: one.reason, answer: one.answer });
    return ok(result);
  },
  'PUT /user/channels/{id}': ({ world, id, body }) => {
    const user = channelsOf(world);
    const one = user.channels.find((other) => other.id === id);
    if (!one) return missing();
    const state = body.on === undefined || body.on === null ? one.state : body.on ? 'verified' : 'off';
    return ok(put(user, { ...one, state, events: body.events ?? one.events }));
  },
  'PUT /user/channels/order': ({ world, body }) => {
    const user = channelsOf(world);
    for (const one of user.channels) one.position = body.ids.indexOf(one.id);
    return ok([...user.channels].sort((a, b) => a.position - b.position));
  },
  'DELETE /user/channels/{id}': ({ world, id }) => {
    const user = channelsOf(world);
    user.channels = user.channels.filter((other) => other.id !== id);
    return ok({});
  },
  'PUT /user/notifications': ({ world, body }) => {
    const setting = { ...body, quiet_from: body.quiet_from ?? null, quiet_to: body.quiet_to ?? null };
    Object.assign(channelsOf(world), { setting, isSettingChosen: true });
    return ok(setting);
  },
};
