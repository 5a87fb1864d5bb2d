import { expect, it } from 'vitest';
import { fieldsOf, firstValues, parseTarget, phoneNumber, type Typed, type TypedKind } from './targets.ts';

const HEX = '0123456789abcdef0123456789abcdef';

const right: [TypedKind, Typed, Record<string, string | null>][] = [
  ['server_chan', { send_key: ' SCT123456abcdef ' }, { send_key: 'SCT123456abcdef' }],
  ['push_plus', { push_token: HEX }, { token: HEX }],
  [
    'we_com',
    { wecom_address: 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=693a91f6-7xxx-4bc4-97a0-0ec2sifa5aaa' },
    { key: '693a91f6-7xxx-4bc4-97a0-0ec2sifa5aaa' },
  ],
  ['we_com', { wecom_address: '693a91f6-7xxx-4bc4-97a0-0ec2sifa5aaa' }, { key: '693a91f6-7xxx-4bc4-97a0-0ec2sifa5aaa' }],
  [
    'ding_talk',
    {
      ding_address: `https://oapi.dingtalk.com/robot/send?access_token=${HEX}${HEX}`,
      ding_secret: 'SEC0123456789abcdef01',
    },
    { token: HEX + HEX, secret: 'SEC0123456789abcdef01' },
  ],
  [
    'feishu',
    { feishu_address: 'https://open.feishu.cn/open-apis/bot/v2/hook/0000-1111-2222-3333', feishu_secret: 'abcdefgh' },
    { region: 'feishu', token: '0000-1111-2222-3333', secret: 'abcdefgh' },
  ],
  [
    'feishu',
    { feishu_address: 'open.larksuite.com/open-apis/bot/v2/hook/0000-1111-2222-3333', feishu_secret: 'abcdefgh' },
    { region: 'lark', token: '0000-1111-2222-3333', secret: 'abcdefgh' },
  ],
  ['bark', { bark_address: 'https://api.day.app/AbCdEfGhIjKlMnOp/words' }, { server: null, device_key: 'AbCdEfGhIjKlMnOp' }],
  [
    'bark',
    { bark_address: 'https://bark.example.com:8443/AbCdEfGhIjKlMnOp' },
    { server: 'https://bark.example.com:8443', device_key: 'AbCdEfGhIjKlMnOp' },
  ],
  ['bark', { bark_address: 'AbCdEfGhIjKlMnOp' }, { server: null, device_key: 'AbCdEfGhIjKlMnOp' }],
  ['ntfy', { ntfy_topic: 'sooner-x1' }, { server: null, topic: 'sooner-x1', token: null }],
  ['ntfy', { ntfy_topic: 'https://ntfy.sh/sooner-x1', ntfy_token: 'tk_1' }, { server: null, topic: 'sooner-x1', token: 'tk_1' }],
  ['ntfy', { ntfy_topic: 'https://ntfy.example.com/a' }, { server: 'https://ntfy.example.com', topic: 'a', token: null }],
  ['pushover', { user_key: 'u12345678901234567890123456789' }, { user_key: 'u12345678901234567890123456789' }],
  [
    'discord',
    { discord_address: 'https://discord.com/api/webhooks/1/abc' },
    { webhook_url: 'https://discord.com/api/webhooks/1/abc' },
  ],
  ['slack', { slack_address: 'hooks.slack.com/services/T0/B0/x' }, { webhook_url: 'https://hooks.slack.com/services/T0/B0/x' }],
  [
    'webhook',
    { hook_url: 'https://example.com/in', hook_secret: '0123456789abcdef' },
    { url: 'https://example.com/in', secret: '0123456789abcdef', authorization: null },
  ],
  ['sms', { phone: '(416) 555-0123' }, { phone: '+14165550123' }],
];

it.each(right)('parses a pasted value for %s: %j', (kind, typed, parts) => {
  expect(parseTarget(kind, typed)).toEqual({ target: { kind, ...parts }, wrong: null });
});

const wrong: [TypedKind, Typed, string[]][] = [
  ['server_chan', { send_key: 'hello' }, ['send_key']],
  ['push_plus', { push_token: `${HEX}0` }, ['push_token']],
  ['we_com', { wecom_address: '' }, ['wecom_address']],
  ['ding_talk', { ding_address: 'https://oapi.dingtalk.com/robot/send' }, ['ding_address', 'ding_secret']],
  [
    'feishu',
    { feishu_address: 'https://open.feishu.cn.example.com/hook/0000-1111-2222-3333' },
    ['feishu_address', 'feishu_secret'],
  ],
  ['bark', { bark_address: 'http://api.day.app/AbCdEfGhIjKlMnOp' }, ['bark_address']],
  ['ntfy', { ntfy_topic: 'two words' }, ['ntfy_topic']],
  ['pushover', { user_key: 'short' }, ['user_key']],
  ['discord', { discord_address: 'https://discord.com.example.com/api/webhooks/1/abc' }, ['discord_address']],
  ['slack', { slack_address: 'https://slack.com/services/T0/B0/x' }, ['slack_address']],
  ['webhook', { hook_url: 'ftp://example.com', hook_secret: 'short' }, ['hook_url', 'hook_secret']],
  ['sms', { phone: '12' }, ['phone']],
];

it.each(wrong)('names the invalid field of %s: %j', (kind, typed, fields) => {
  expect(parseTarget(kind, typed)).toEqual({ target: null, wrong: fields });
});

it('refuses empty fields of every kind, and proposes only valid values', () => {
  for (const kind of Object.keys(fieldsOf) as TypedKind[]) {
    expect([kind, parseTarget(kind, {}).target]).toEqual([kind, null]);
    for (const [field, text] of Object.entries(firstValues(kind)))
      expect([kind, parseTarget(kind, { [field]: text }).wrong?.includes(field as never) ?? false]).toEqual([kind, false]);
  }
});

it.each([
  ['+1 416 555 0123', '+14165550123'],
  ['0086 138 0013 8000', '+8613800138000'],
  ['13800138000', '+8613800138000'],
  ['416.555.0123', '+14165550123'],
  ['+0123456789', null],
  ['abc', null],
])('parses the number %s', (text, number) => {
  expect(phoneNumber(text)).toBe(number);
});
