// @vitest-environment jsdom
import i18next from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import { movementsCsv } from '../../features/money/movementsCsv.ts';
import { referralAtHand, rememberReferral } from '../../parts/account/referral.ts';
import { readAmount } from '../../parts/balance/cardAmount.ts';
import { frameFailureText, readFrameEvent } from '../../parts/balance/cardFrame.ts';
import type { Movement } from '../api/money.ts';
import { i18nReady } from '../i18n/i18n.ts';
import { dayEnd, dayStart } from './zoneDay.ts';

describe('an amount for a card', () => {
  const limits = { min_amount: 10, max_amount: 500 };
  it.each([
    ['10', 10],
    ['10.00', 10],
    ['12.5', 12.5],
    ['12,50', 12.5],
    [' 500 ', 500],
  ])('is read from %s', (typed, value) => expect(readAmount(typed, limits)).toEqual({ value, problem: null }));

  // spec: 5.3.04
  it.each([
    ['', 'empty'],
    ['0', 'range'],
    ['9.99', 'range'],
    ['500.01', 'range'],
    ['-20', 'range'],
    ['1e2', 'range'],
    ['1e9', 'range'],
    ['NaN', 'range'],
    ['0x20', 'range'],
    ['0.001', 'range'],
    ['20.001', 'cents'],
  ])('is refused from %s: %s', (typed, problem) => expect(readAmount(typed, limits)).toEqual({ value: null, problem }));
});

describe('the card page', () => {
  it('accepts only its own messages', () => {
    expect(readFrameEvent({ source: 'sooner-pay', type: 'ready' })).toEqual({ type: 'ready' });
    expect(readFrameEvent({ source: 'elsewhere', type: 'ready' })).toBeNull();
    expect(readFrameEvent({ source: 'sooner-pay', type: 'surprise' })).toBeNull();
    expect(readFrameEvent('ready')).toBeNull();
    expect(readFrameEvent({ source: 'sooner-pay', type: 'failed', code: 'no_card', message: 3 })).toEqual({
      type: 'failed',
      code: 'no_card',
      message: null,
    });
  });

  it('may request a height, within bounds', () => {
    expect(readFrameEvent({ source: 'sooner-pay', type: 'resize', height: 120.2 })).toEqual({ type: 'resize', height: 121 });
    expect(readFrameEvent({ source: 'sooner-pay', type: 'resize', height: 99_999 })).toEqual({ type: 'resize', height: 900 });
    expect(readFrameEvent({ source: 'sooner-pay', type: 'resize', height: 'tall' })).toBeNull();
  });

  it('shows a text for every failure code', () => {
    expect(frameFailureText('no_card')).toBe('card.noCard');
    expect(frameFailureText('something_new')).toBe('card.failed');
    expect(frameFailureText(null)).toBe('card.failed');
  });
});

describe('dates of the filter', () => {
  it('begin and end at midnight in Toronto, also when the clocks change', () => {
    expect(dayStart('2026-11-21')).toBe('2026-11-21T05:00:00.000Z');
    expect(dayEnd('2026-11-21')).toBe('2026-11-22T05:00:00.000Z');
    expect(dayStart('2026-07-01')).toBe('2026-07-01T04:00:00.000Z');
    expect(dayStart('2026-03-08')).toBe('2026-03-08T05:00:00.000Z');
    expect(dayEnd('2026-03-08')).toBe('2026-03-09T04:00:00.000Z');
    expect(dayStart('2026-11-01')).toBe('2026-11-01T04:00:00.000Z');
    expect(dayEnd('2026-11-01')).toBe('2026-11-02T05:00:00.000Z');
  });
});

describe('movements as a file', () => {
  const movement: Movement = {
    id: 'm1',
    at: '2026-11-21T17:05:00Z',
    kind: 'hold',
    amount: -76,
    held_change: 76,
    balance_after: 24,
    held_after: 76,
    currency: 'CAD',
    task: { id: 't1', label: 'Lin Zhixia, Chen Yuhang' },
    code_tail: null,
    note: null,
    description: null,
    paid_with: null,
  };
  beforeAll(() => i18nReady);

  it.each([
    ['en' as const, 'Date (ET),Type,What', 'On hold'],
    ['zh' as const, '日期（ET）,类型,事由', '冻结'],
  ])('has headings and kinds in %s, and numbers that spreadsheets can add', async (language, head, kind) => {
    await i18next.changeLanguage(language);
    const lines = movementsCsv([movement], i18next.t, language).split('\r\n');
    expect(lines[0]?.startsWith(`\uFEFF${head}`)).toBe(true);
    expect(lines[1]).toBe(`2026-11-21 12:05,${kind},"Lin Zhixia, Chen Yuhang",-76.00,24.00,76.00,76.00,CAD,`);
    const card = { ...movement, kind: 'card' as const, task: null, description: 'family trip' };
    expect(movementsCsv([card], i18next.t, language).split('\r\n')[1]).toMatch(/,CAD,family trip$/);
  });
});

describe('a referral code', () => {
  it('is stored from the page’s address until it is used, and only if its format is valid', () => {
    rememberReferral('?ref=MINE42');
    expect(referralAtHand('')).toBe('MINE42');
    expect(referralAtHand('?ref=OTHER7')).toBe('OTHER7');
    rememberReferral('?ref=<script>');
    rememberReferral('?page=2');
    expect(referralAtHand('')).toBe('MINE42');
  });
});
