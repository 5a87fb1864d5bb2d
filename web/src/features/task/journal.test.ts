// @vitest-environment jsdom
import i18next from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../shared/api/types.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { foldPolls, type JournalFormat, journalDays, journalLine } from './journal.ts';

let next = 0;
const entry = (at: string, kind: string, data: Record<string, unknown> = {}, over: Partial<JournalEntry> = {}): JournalEntry => {
  next += 1;
  return { id: String(next), at, until: null, kind, data, count: 1, ...over } as JournalEntry;
};
const cities = ['Ottawa', 'Toronto', 'Montreal'];
const looks = (at: string, earliest: string | null, count = 1, failures = 0, until: string | null = null) =>
  entry(at, 'looks', { cities, earliest, facility: earliest && 'Ottawa', looks: count, slots: 4, failures }, { until });

const texts = (language: string): JournalFormat => ({
  cityName: (name) => (language === 'zh' ? ({ Ottawa: '渥太华', Montreal: '蒙特利尔' }[name] ?? name) : name),
  clock: (time) => time,
  pair: ({ date, fingerprints }) => `${date}/${fingerprints?.date ?? '-'}`,
  amount: (value) => value.toFixed(2),
  when: (instant) => instant.slice(11, 16),
  codeText: (group, code) => {
    const key = `journal.${group}_${code}`;
    return i18next.t((i18next.exists(key, { lng: language }) ? key : `journal.${group}_unknown`) as TextKey, {
      lng: language,
    }) as string;
  },
});

/** Returns an interview with a fingerprint appointment. */
const pair = (date: string) => ({
  date: '2027-02-09',
  time: '09:15',
  facility: 'Bogota',
  fingerprints: { date, time: '07:30', city: 'Bogota', city_zh: '波哥大' },
});

function textOf(language: string, one: JournalEntry): (string | null)[] {
  const line = journalLine(one, texts(language));
  const translate = (key: TextKey) => (i18next.t(key, { ...line.values, lng: language }) as string).replaceAll('\u2060', '');
  return [translate(line.title), line.text && translate(line.text)];
}

beforeAll(async () => {
  await i18nReady;
  await i18next.loadLanguages(['en', 'zh']);
});

describe('the journal', () => {
  // spec: 10.9.07
  it('folds adjacent polls of a day with the same result, also across pages', () => {
    const folded = foldPolls([
      looks('2026-11-24T20:00:00Z', '2027-04-29', 6, 0, '2026-11-24T21:00:00Z'),
      looks('2026-11-24T18:00:00Z', '2027-04-29', 4, 0, '2026-11-24T20:00:00Z'),
      looks('2026-11-24T17:00:00Z', '2027-04-22'),
    ]);
    expect(folded).toHaveLength(2);
    expect(folded[0]).toMatchObject({ at: '2026-11-24T18:00:00Z', until: '2026-11-24T21:00:00Z', data: { looks: 10, slots: 4 } });
  });

  // spec: 10.9.07
  it('does not fold across another entry, day or result, or across failed polls', () => {
    const apart = [
      looks('2026-11-24T20:00:00Z', '2027-04-29'),
      entry('2026-11-24T19:00:00Z', 'signed_in'),
      looks('2026-11-24T18:00:00Z', '2027-04-29'),
      looks('2026-11-24T17:00:00Z', '2027-04-29', 2, 2),
      looks('2026-11-24T04:30:00Z', '2027-04-29', 2, 2),
      looks('2026-11-24T04:00:00Z', null),
    ];
    expect(foldPolls(apart)).toHaveLength(6);
  });

  // spec: 10.9.07
  it('splits days at midnight in Toronto, newest first', () => {
    const days = journalDays([
      entry('2026-11-24T05:30:00Z', 'signed_in'),
      entry('2026-11-24T04:30:00Z', 'trouble', { code: 'overloaded' }),
      entry('2026-11-24T03:10:00Z', 'not_booked'),
    ]);
    expect(days.map(({ day, entries }) => [day, entries.length])).toEqual([
      ['2026-11-24', 1],
      ['2026-11-23', 2],
    ]);
  });

  // spec: 10.9.07
  it.each([
    [
      looks('2026-11-24T20:00:00Z', '2027-04-22'),
      ['查询 3 座城市', '最早 2027-04-22，渥太华'],
      ['Checked 3 cities', 'Earliest 2027-04-22, Ottawa'],
    ],
    [
      looks('2026-11-24T20:00:00Z', '2027-04-22', 10, 1),
      ['查询 10 次', '最早 2027-04-22，渥太华；1 次没有响应'],
      ['Checked 10 times', 'Earliest 2027-04-22, Ottawa; 1 without a response'],
    ],
    [
      looks('2026-11-24T20:00:00Z', '2027-04-22', 2, 2),
      ['查询 2 次', '最早 2027-04-22，渥太华；2 次没有响应'],
      ['Checked 2 times', 'Earliest 2027-04-22, Ottawa; 2 without a response'],
    ],
    [looks('2026-11-24T20:00:00Z', null, 4), ['查询 4 次', '没有可约日期'], ['Checked 4 times', 'No dates were offered']],
    [
      looks('2026-11-24T20:00:00Z', null, 0, 4),
      ['查询 4 次', '官网没有响应'],
      ['Checked 4 times', 'The official site did not respond'],
    ],
    [
      entry('', 'submitted', { held: 76 }),
      ['提交了任务', '冻结 76.00 CAD，有结果才扣'],
      ['Task submitted', '76.00 CAD on hold, charged only for a result'],
    ],
    [entry('', 'submitted', { held: 0 }), ['提交了任务', null], ['Task submitted', null]],
    [
      entry('', 'booked', {
        from: { date: '2027-08-17' },
        to: { date: '2027-02-09', time: '09:15', facility: 'Ottawa' },
        days: 189,
        charged: 76,
      }),
      ['约到了', '2027-08-17 改到 2027-02-09 09:15，渥太华，提前 189 天，扣款 76.00 CAD'],
      ['Booked', 'Moved from 2027-08-17 to 2027-02-09 09:15, Ottawa: 189 days sooner, 76.00 CAD charged'],
    ],
    [
      entry('', 'booked', { from: null, to: { date: '2027-02-09', time: '09:15', facility: 'Ottawa' }, days: null, charged: 0 }),
      ['约到了', '2027-02-09 09:15，渥太华'],
      ['Booked', '2027-02-09 09:15, Ottawa'],
    ],
    [
      entry('', 'not_booked', { facility: 'Montreal', date: '2027-03-09' }),
      ['改约失败', '蒙特利尔 2027-03-09，已核对：预约没有变动'],
      ['Not booked', 'Montreal 2027-03-09; confirmed: your appointment is unchanged'],
    ],
    [
      entry('', 'slot_gone', { facility: 'Ottawa', date: '2027-03-09', why: 'taken_for_another' }),
      ['日期没了', '渥太华 2027-03-09，已分配给排在您前面的用户'],
      ['The date was gone', 'Ottawa 2027-03-09 was offered to a customer ahead of you'],
    ],
    [
      entry('', 'slot_gone', { facility: 'Ottawa', date: '2027-03-09', why: 'no_times' }),
      ['日期没了', '渥太华 2027-03-09，点进去已没有时段'],
      ['The date was gone', 'Ottawa 2027-03-09: no times were left'],
    ],
    [
      entry('', 'not_booked_because', { facility: 'Ottawa', date: '2027-03-09', stop: { why: 'last_attempt' } }),
      ['出现了日期，没有改约', '渥太华 2027-03-09：这次改约需要您同意，为您保留'],
      ['A date appeared but was not booked', 'Ottawa 2027-03-09: this reschedule needs your permission, kept for you'],
    ],
    [
      entry('', 'changed_outside', { from: { date: '2027-08-17' }, to: null }),
      ['预约在官网有变动', '预约已不在，不是我们操作的'],
      ['Your appointment changed on the official site', 'It is gone; not by us'],
    ],
    [
      entry('', 'trouble', { code: 'timeout' }),
      ['暂时遇到问题', '官网没有及时响应，我们会自动再试'],
      ['Temporary problem', 'The site did not respond in time; we retry automatically'],
    ],
    [
      entry('', 'trouble', { code: 'new_code' }),
      ['暂时遇到问题', '官网暂时有问题，我们会自动再试'],
      ['Temporary problem', 'The site has a problem; we retry automatically'],
    ],
    [
      entry('', 'status', { status: 'stopped', reason: 'auto_stop' }),
      ['任务停止', '约到后自动停止'],
      ['Task stopped', 'Automatically after the booking'],
    ],
    [
      entry('', 'status', { status: 'error', reason: 'group_gone' }),
      ['任务停止，需要您处理', '这组预约已不在账号里'],
      ['Task stopped, action needed', 'The group is no longer in the account'],
    ],
    [entry('', 'other', { kind: 'booked', data: {} }), ['约到了', null], ['Booked', null]],
    [
      entry('', 'fingerprints_differ', { wanted: pair('2027-02-05'), shown: pair('2027-08-10') }),
      ['指纹采集预约与所选不同', '所选：2027-02-09/2027-02-05。官网显示：2027-02-09/2027-08-10。'],
      ['The fingerprint appointment differs', 'Chosen: 2027-02-09/2027-02-05. On the official site: 2027-02-09/2027-08-10.'],
    ],
    [
      entry('', 'changed_outside', { from: pair('2027-02-05'), to: pair('2027-02-04') }),
      ['预约在官网有变动', '面签仍是 2027-02-09，Bogota；指纹采集预约有变动，不是我们操作的'],
      [
        'Your appointment changed on the official site',
        'Interview still 2027-02-09, Bogota; its fingerprint appointment was changed, not by us',
      ],
    ],
    [
      entry('', 'changed_outside', { from: pair('2027-02-05'), to: { ...pair(''), fingerprints: null } }),
      ['预约在官网有变动', '面签仍是 2027-02-09，Bogota；指纹采集预约已不在，不是我们操作的'],
      [
        'Your appointment changed on the official site',
        'Interview still 2027-02-09, Bogota; its fingerprint appointment is gone, not by us',
      ],
    ],
    [
      entry('', 'changed_outside', { from: { ...pair('2027-02-05'), date: '2027-03-09' }, to: pair('2027-02-05') }),
      ['预约在官网有变动', '2027-03-09 变为 2027-02-09，Bogota，不是我们操作的'],
      ['Your appointment changed on the official site', 'From 2027-03-09 to 2027-02-09, Bogota; not by us'],
    ],
    [
      entry('', 'slot_gone', { facility: 'Bogota', date: '2027-02-09', why: 'no_fingerprints' }),
      ['日期没了', 'Bogota 2027-02-09，之前没有可约的指纹采集时间'],
      ['The date was gone', 'Bogota 2027-02-09: no fingerprint appointment free before it'],
    ],
    [
      entry('', 'slot_gone', { facility: 'Bogota', date: '2027-02-09', why: 'fingerprints_not_wanted' }),
      ['日期没了', 'Bogota 2027-02-09，之前的指纹采集时间都不合您的条件'],
      ['The date was gone', 'Bogota 2027-02-09: no fingerprint appointment before it that suits you'],
    ],
    [
      entry('', 'slot_gone', { facility: 'Bogota', date: '2027-02-09', why: 'fingerprints_at_consulate' }),
      ['日期没了', 'Bogota 2027-02-09，那里由领馆采集指纹，早签暂时不能代约'],
      ['The date was gone', 'Bogota 2027-02-09: fingerprints are taken at the consulate there, which Sooner cannot book yet'],
    ],
    [
      entry('', 'slot_gone', { facility: 'Bogota', date: '2027-02-09', why: 'fingerprints_unread' }),
      ['日期没了', 'Bogota 2027-02-09，官网没有给出指纹采集的时间'],
      ['The date was gone', 'Bogota 2027-02-09: the official site did not show its fingerprint appointments'],
    ],
    [entry('', 'other', { kind: 'status', data: {} }), ['任务停止', null], ['Task stopped', null]],
    [entry('', 'other', { kind: 'invented', data: {} }), ['invented', null], ['invented', null]],
    [entry('', 'a_kind_of_tomorrow'), ['a_kind_of_tomorrow', null], ['a_kind_of_tomorrow', null]],
  ])('shows entry %# in both languages', (one, zh, en) => {
    expect(textOf('zh', one)).toEqual(zh);
    expect(textOf('en', one)).toEqual(en);
  });

  // spec: 10.9.07
  it.each(['zh', 'en'])('has texts for every kind that the server writes (%s)', (language) => {
    const kinds = `submitted started paused deleted group_accepted signed_in watching edited status trouble standby alerted attempted nothing_sent
      booking_unconfirmed fingerprints_differ booked booked_by_user not_booked not_booked_because slot_gone changed_outside lists_differ lists_shared_again`;
    const slot = { date: '2027-02-09', time: '09:15', facility: 'Ottawa' };
    const data = {
      ...slot,
      from: slot,
      to: slot,
      wanted: slot,
      shown: slot,
      days: 1,
      read_again: '2026-11-24T20:00:00Z',
      code: 'timeout',
      reason: 'by_user',
      held: 1,
      charged: 38,
      why: 'no_times',
      stop: { why: 'changed' },
      agreed_percent: 90,
    };
    for (const kind of kinds.split(/\s+/)) {
      const [title, text] = textOf(language, entry('2026-11-24T20:00:00Z', kind, data));
      expect([kind, title === kind, `${title}${text}`.includes('{{'), `${title}${text}`.includes('journal.')]).toEqual([
        kind,
        false,
        false,
        false,
      ]);
    }
  });
});
