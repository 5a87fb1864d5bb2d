// @vitest-environment jsdom
import i18next from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import { task } from '../../../mock/story.ts';
import type { SeenEntry } from '../../shared/api/types.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { type ReasonFacts, whyNot, whyNotDay } from './whyNot.ts';

const params = {
  ...task({ id: 't' }).schedule_config.search_params,
  start_date: '2026-12-15',
  end_date: '2027-03-31',
  excluded_dates: [
    { type: 'range' as const, start: '2027-02-05', end: '2027-02-08' },
    { type: '' as const, date: '2027-02-17' },
  ],
};
const facts = (language: string): ReasonFacts => ({
  params,
  cityName: (name) => (language === 'zh' ? '渥太华' : name),
  range: (start, end) => (end === null ? start : i18next.t('unit.range', { start, end, lng: language })),
});

function textOf(language: string, why: string, over: { date?: string; data?: Partial<SeenEntry['data']> } = {}): string {
  const reason = whyNot({ date: '2027-04-22', facility: 'Ottawa', data: {}, ...over, why }, facts(language));
  const translate = (textKey: TextKey, values = {}) => i18next.t(textKey, { ...values, lng: language }) as string;
  const text = [translate(reason.textKey, reason.values), reason.spent && translate(reason.spent)].filter(Boolean);
  return text.join(language === 'zh' ? '' : ' ').replaceAll('\u2060', '');
}

beforeAll(async () => {
  await i18nReady;
  await i18next.loadLanguages(['en', 'zh']);
});

const contested = { attempt_spent: false };

describe('the reason why a date was not booked', () => {
  // spec: 10.9.06
  it.each([
    [
      'after_window',
      { data: { margin_days: 22 } },
      '比您的结束日期 2027-03-31 晚 22 天。',
      '22 days after your end date, 2027-03-31.',
    ],
    ['after_window', {}, '晚于您的结束日期。', 'After your end date.'],
    [
      'before_window',
      { date: '2026-12-08', data: { margin_days: 7 } },
      '比您的开始日期 2026-12-15 早 7 天。',
      '7 days before your start date, 2026-12-15.',
    ],
    ['before_window', {}, '早于您的开始日期。', 'Before your start date.'],
    [
      'excluded',
      { date: '2027-02-05' },
      '在您排除的 2027-02-05 至 2027-02-08 内。',
      'Among the days you excluded: 2027-02-05 to 2027-02-08.',
    ],
    ['excluded', { date: '2027-02-17' }, '2027-02-17 是您排除的日子。', 'You excluded 2027-02-17.'],
    ['excluded', { date: '2027-03-01' }, '在您当时排除的日子里。', 'On a day you had excluded at that time.'],
    [
      'too_soon',
      { data: { margin_days: 1 } },
      '日期太近，离您要的准备时间还差 1 天。',
      'Too soon: 1 day short of the notice you need.',
    ],
    ['too_soon', {}, '日期太近，不够您要的准备时间。', 'Too soon for the notice you need.'],
    [
      'not_earlier_enough',
      { data: { margin_days: 3 } },
      '比现有预约早，但离您要求的天数还差 3 天。',
      'Earlier than your appointment, but 3 days short of what you asked for.',
    ],
    ['not_earlier_enough', {}, '提前的天数没有达到您的要求。', 'Not as much earlier as you asked for.'],
    [
      'not_earlier',
      { data: { margin_days: 32 } },
      '比您当时的预约 2027-03-21 晚 32 天。',
      '32 days later than your appointment of 2027-03-21.',
    ],
    ['not_earlier', { data: { margin_days: 0 } }, '和您当时的预约是同一天。', 'On the same day as your appointment.'],
    ['not_earlier', {}, '不比您当时的预约早。', 'Not earlier than your appointment.'],
    [
      'other_booked',
      { data: { booked_date: '2026-12-22' } },
      '符合您的条件，但当时约到了另一个日期 2026-12-22。',
      'It fitted your conditions, but 2026-12-22 was booked instead.',
    ],
    ['city_not_wanted', {}, '渥太华 不在您选的城市里。', 'Ottawa is not among your cities.'],
    [
      'taken_for_another',
      {},
      '已分配给排在您前面的用户。没有消耗改约次数。',
      'Offered first to a customer ahead of you in line. No reschedule was used.',
    ],
    [
      'lost',
      { data: { ...contested, seconds_to_post: 1.4 } },
      '被别人抢先约走。发现后 1.4 秒提交，官网答复已不可用。没有消耗改约次数。',
      'Others were faster. We submitted 1.4 s after seeing it; the site said it was gone. No reschedule was used.',
    ],
    [
      'lost',
      {},
      '被别人抢先约走，我们提交之前就没了。没有消耗改约次数。',
      'Others were faster; it was gone before we could submit. No reschedule was used.',
    ],
    [
      'phantom',
      {},
      '一闪而过。日期还在列表里，点进去已没有时段。',
      'Gone immediately. The date was still listed, but had no times left.',
    ],
    ['no_budget', {}, '当时账号的查询次数已用完。', 'The account had no checks left at that time.'],
    ['restricted', {}, '当时账号在休息。', 'The account was pausing at that time.'],
    ['notified', {}, '按您的设置只通知，没有改约。', 'You were notified and nothing was changed, as you chose.'],
    ['last_attempt_kept', {}, '这次改约需要您同意，已为您保留。', 'This reschedule needed your permission; it is kept for you.'],
    ['reschedules_used', {}, '可用的改约次数已用完。', 'No reschedule was left to use.'],
    ['past_deadline', {}, '已过官网的改约截止时间。', 'The official deadline for reschedules had passed.'],
    [
      'changed_outside',
      {},
      '当时预约在官网有变动，先重新核对。',
      'Your appointment had just changed on the official site, so we checked it again first.',
    ],
    ['no_fingerprints', {}, '在它之前找不到指纹采集的时间。', 'No fingerprint appointment before it could be found.'],
    [
      'fingerprints_not_wanted',
      {},
      '在它之前的指纹采集时间不合您的条件。',
      'The fingerprint appointments before it do not suit your conditions.',
    ],
    [
      'fingerprints_at_consulate',
      {},
      '那里由领馆自己采集指纹，早签暂时不能代约。',
      'The consulate there takes the fingerprints itself, which Sooner cannot book yet.',
    ],
    ['booking_unconfirmed', {}, '已提交改约，结果还没确认。', 'A booking was submitted; its result is not known yet.'],
    ['open', {}, '当时符合您的条件，现在还在列表里。', 'It fitted your conditions then and is still listed.'],
    [
      'booked',
      { data: { attempt_spent: true } },
      '约到了这个日期。用掉了一次改约。',
      'This date was booked. One reschedule was used.',
    ],
    ['a_rule_of_tomorrow', {}, '按当时的条件不能改约。', 'The conditions at that moment did not allow it.'],
  ] as const)('shows %s in both languages', (why, over, zh, en) => {
    expect([textOf('zh', why, over), textOf('en', why, over)]).toEqual([zh, en]);
  });

  it('contains the limit at that time, although the criteria have changed since', () => {
    expect(textOf('en', 'after_window', { data: { margin_days: 10 } })).toBe('10 days after your end date, 2027-04-12.');
    expect(textOf('en', 'before_window', { data: { margin_days: 1 } })).toBe('1 day before your start date, 2027-04-23.');
  });

  // spec: 10.9.06
  it('gives a cell of the map the same reason, and none if the day fits', () => {
    const day = {
      date: '2027-04-22',
      times: 3,
      first_seen_at: '',
      last_seen_at: '',
      wanted: false,
      why: 'after_window' as const,
      margin_days: 22,
    };
    expect(whyNotDay('Ottawa', day, facts('en'))).toMatchObject({ textKey: 'why.after_window', values: { count: 22 } });
    expect(whyNotDay('Ottawa', { ...day, wanted: true, why: null }, facts('en'))).toBeNull();
  });
});
