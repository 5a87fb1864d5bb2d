import type { ChannelKind, ChannelTarget } from '../../../shared/api/channels.ts';

/** Field of a channel's target that the user types or pastes. */
export type TargetField =
  | 'send_key'
  | 'push_token'
  | 'wecom_address'
  | 'ding_address'
  | 'ding_secret'
  | 'feishu_address'
  | 'feishu_secret'
  | 'bark_address'
  | 'ntfy_topic'
  | 'ntfy_token'
  | 'user_key'
  | 'discord_address'
  | 'slack_address'
  | 'hook_url'
  | 'hook_secret'
  | 'hook_authorization'
  | 'phone';

/** Kind of channel whose target the user types. The other kinds are linked by a press. */
export type TypedKind = Exclude<ChannelKind, 'web_push' | 'telegram' | 'wx_pusher'>;

export const fieldsOf: Record<TypedKind, readonly TargetField[]> = {
  server_chan: ['send_key'],
  push_plus: ['push_token'],
  we_com: ['wecom_address'],
  ding_talk: ['ding_address', 'ding_secret'],
  feishu: ['feishu_address', 'feishu_secret'],
  bark: ['bark_address'],
  ntfy: ['ntfy_topic', 'ntfy_token'],
  pushover: ['user_key'],
  discord: ['discord_address'],
  slack: ['slack_address'],
  webhook: ['hook_url', 'hook_secret', 'hook_authorization'],
  sms: ['phone'],
};

/** Field whose text can be invalid. */
export type CheckedField = Exclude<TargetField, 'ntfy_token' | 'hook_authorization'>;

/** Fields that may stay empty. */
export const mayBeEmpty: ReadonlySet<TargetField> = new Set(['ntfy_token', 'hook_authorization']);

export type Typed = Partial<Record<TargetField, string>>;

/** Parsed target of a channel, or the fields that are invalid. */
export type Parsed = { target: ChannelTarget; wrong: null } | { target: null; wrong: CheckedField[] };

/** Default servers, if the user enters none. */
const BARK = 'api.day.app';
const NTFY = 'ntfy.sh';

function addressOf(text: string): URL | null {
  try {
    return new URL(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`);
  } catch {
    return null;
  }
}

const https = (url: URL | null, host?: RegExp) => (url?.protocol === 'https:' && (!host || host.test(url.hostname)) ? url : null);
const lastPart = (url: URL | null) => url?.pathname.split('/').filter(Boolean).at(-1) ?? '';
const firstPart = (url: URL | null) => url?.pathname.split('/').find(Boolean) ?? '';

/**
 * Normalizes a phone number, such as `+14165550123`. Numbers of ten digits without a country code
 * are North American. Returns null if the number is invalid.
 */
export function phoneNumber(text: string): string | null {
  const bare = text.replace(/[\s().-]/g, '').replace(/^00/, '+');
  const whole = /^[2-9]\d{9}$/.test(bare) ? `+1${bare}` : /^1[3-9]\d{9}$/.test(bare) ? `+86${bare}` : bare;
  return /^\+[1-9]\d{7,14}$/.test(whole) ? whole : null;
}

/** Parts of a target by name. An invalid part is empty or null. */
type Parts = Record<string, string | null>;

const parsers: Record<TypedKind, (typed: (field: TargetField) => string) => { parts: Parts; wrong: CheckedField[] }> = {
  server_chan: (typed) => one('send_key', 'send_key', typed, /^SCT(?!P)\w{8,}$|^sctp\d{1,12}t\w+$/),
  push_plus: (typed) => one('token', 'push_token', typed, /^[0-9a-f]{32}$/i),
  pushover: (typed) => one('user_key', 'user_key', typed, /^[a-z0-9]{30}$/i),
  we_com: (typed) => {
    const text = typed('wecom_address');
    const key = addressOf(text)?.searchParams.get('key') ?? text;
    return { parts: { key }, wrong: /^[\w-]{20,}$/.test(key) ? [] : ['wecom_address'] };
  },
  ding_talk: (typed) => {
    const text = typed('ding_address');
    const token = addressOf(text)?.searchParams.get('access_token') ?? text;
    const secret = typed('ding_secret');
    return {
      parts: { token, secret },
      wrong: [...bad('ding_address', /^[0-9a-f]{32,}$/i.test(token)), ...bad('ding_secret', /^SEC[0-9a-z]{16,}$/i.test(secret))],
    };
  },
  feishu: (typed) => {
    const url = https(addressOf(typed('feishu_address')), /^open\.(feishu\.cn|larksuite\.com)$/);
    const secret = typed('feishu_secret');
    return {
      parts: { region: url?.hostname.endsWith('.cn') ? 'feishu' : 'lark', token: lastPart(url), secret },
      wrong: [...bad('feishu_address', lastPart(url).length >= 16), ...bad('feishu_secret', secret.length >= 8)],
    };
  },
  bark: (typed) => {
    const text = typed('bark_address');
    const url = /^[\w-]{16,}$/.test(text) ? null : https(addressOf(text));
    const device_key = url ? firstPart(url) : text;
    const server = url && url.host !== BARK ? url.origin : null;
    return { parts: { server, device_key }, wrong: bad('bark_address', /^[\w-]{16,}$/.test(device_key)) };
  },
  ntfy: (typed) => {
    const text = typed('ntfy_topic');
    const url = text.includes('/') ? https(addressOf(text)) : null;
    const topic = text.includes('/') ? lastPart(url) : text;
    const server = url && url.host !== NTFY ? url.origin : null;
    return {
      parts: { server, topic, token: typed('ntfy_token') || null },
      wrong: bad('ntfy_topic', /^[\w-]{1,64}$/.test(topic)),
    };
  },
  discord: (typed) => hook('discord_address', typed, /(^|\.)discord(app)?\.com$/),
  slack: (typed) => hook('slack_address', typed, /^hooks\.slack(-gov)?\.com$/),
  webhook: (typed) => {
    const url = https(addressOf(typed('hook_url')));
    const secret = typed('hook_secret');
    return {
      parts: { url: url?.href ?? '', secret, authorization: typed('hook_authorization') || null },
      wrong: [...bad('hook_url', url !== null), ...bad('hook_secret', secret.length >= 16)],
    };
  },
  sms: (typed) => {
    const phone = phoneNumber(typed('phone'));
    return { parts: { phone }, wrong: bad('phone', phone !== null) };
  },
};

const bad = (field: CheckedField, good: boolean): CheckedField[] => (good ? [] : [field]);

function one(part: string, field: CheckedField, typed: (field: TargetField) => string, shape: RegExp) {
  const text = typed(field);
  return { parts: { [part]: text }, wrong: bad(field, shape.test(text)) };
}

function hook(field: CheckedField, typed: (field: TargetField) => string, host: RegExp) {
  const url = https(addressOf(typed(field)), host);
  return { parts: { webhook_url: url?.href ?? '' }, wrong: bad(field, url !== null && url.pathname.length > 12) };
}

/**
 * Parses the fields of a channel. Accepts a whole address in place of a key, and phone numbers with
 * spaces.
 */
export function parseTarget(kind: TypedKind, values: Typed): Parsed {
  const { parts, wrong } = parsers[kind]((field) => values[field]?.trim() ?? '');
  // Each parser returns the parts that its kind needs. targets.test.ts covers all kinds.
  return wrong.length > 0 ? { target: null, wrong } : { target: { kind, ...parts } as ChannelTarget, wrong: null };
}

const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Returns a random text for a name or a key. */
export function unguessable(length: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => LETTERS[byte % LETTERS.length]).join('');
}

/**
 * Returns the initial values of a form. Names and keys that the user would have to invent are
 * random.
 */
export function firstValues(kind: TypedKind): Typed {
  if (kind === 'ntfy') return { ntfy_topic: `sooner-${unguessable(16)}` };
  return kind === 'webhook' ? { hook_secret: unguessable(32) } : {};
}
