import { describe, expect, it } from 'vitest';
import { textFiles } from '../../../scripts/textFiles.ts';
import { textOf } from './documentTexts.tsx';
import { UNBILLED, unbilled } from './unbilled.ts';

/** Words about money, which must not appear if the server charges nothing. */
const MONEY = /charged|\bprice|on hold|\bholds?\b|balance|top.?up|\bCAD\b|refund|扣款|收费|冻结|余额|充值|价格|退款/i;
/**
 * Folders that the test skips. Their texts appear only if the server charges, or their components
 * choose between variants.
 */
const ELSEWHERE = /^(features\/(money|card|site)|parts\/balance|app\/documents)/;
/**
 * Keys that the test skips. Most of these texts are in components that are hidden if the server
 * charges nothing. A few state that nothing is charged, or use a word in another sense.
 */
const OF_MONEY =
  /^(answer\.(free|price)|ask\.(charged|free)|watching\.(free|held\w*|price)|auth\.asidePoint1|journal\.trouble_account_banned|reach\.scanWxPusher|auth\.registerPrice|codes|confirm\.(code|fee|wallet|payment)|cost|deletion|dashboard\.money|footer|group|lines\.topUp|journal\.(submittedText|booked\w*Charged\w*)|more\.price|nav|portal|problem|quick\.priceAndTime|rail|referral|reminder|shell\.balance|stub\.(charged|free|balance|unit)|submit|task\.(captured|discount_\w+|entitled|free|held\w*|original\w*|price\w*|released|saved|unpaid|nothingUnpaid)|toast\.deletedHold|topup|unit|channels\.event\.money)(\.|_|$|\w)/;

describe.each(['en', 'zh'] as const)('if the server charges nothing, in %s', (language) => {
  it('no text mentions money, except those that the test skips', () => {
    const mentioned = textFiles()
      .filter((file) => file.language === language && !ELSEWHERE.test(file.folder))
      .flatMap(({ texts }) => [...texts].map(([key, text]) => [key, texts.get(key + UNBILLED) ?? text] as const))
      .filter(([key, text]) => !key.endsWith(UNBILLED) && !OF_MONEY.test(key) && MONEY.test(text));
    expect(mentioned).toEqual([]);
  });

  it('each replacement has an original and differs from it', () => {
    for (const { texts } of textFiles().filter((file) => file.language === language))
      for (const [key, text] of texts)
        if (key.endsWith(UNBILLED)) expect([key, texts.get(key.replace(UNBILLED, '')) ?? text]).not.toEqual([key, text]);
  });
});

it('texts within groups are replaced, and all others stay unchanged', () => {
  const tree = { a: { one: 'paid', one_unbilled: 'free', two: 'same' }, b: 'same' };
  expect(unbilled(tree)).toEqual({ a: { one: 'free', one_unbilled: 'free', two: 'same' }, b: 'same' });
  expect(tree.a.one).toBe('paid');
});

it('documents replace texts like the app, in both branches of their template', () => {
  const speech = {
    language: 'en',
    texts: { n_one: 'one, paid', n_one_unbilled: 'one', n_other: '{{count}}, paid', x: 'x' },
  } as const;
  expect(textOf(speech, 'n', { count: 1 })).toBe('one, paid');
  expect(textOf({ ...speech, unbilled: true }, 'n', { count: 1 })).toBe('one');
  expect(textOf({ ...speech, unbilled: true }, 'n', { count: 2 })).toBe('2, paid');
  expect(textOf({ ...speech, unbilled: 'template' }, 'n', { count: 1 })).toBe('⟦%if billing_off%⟧one⟦%else%⟧one, paid⟦%endif%⟧');
  expect(textOf({ ...speech, unbilled: 'template' }, 'x')).toBe('x');
});
