import { expect, it } from 'vitest';
import { pageOf, shownOf } from './pushed.ts';

const ORIGIN = 'https://sooner.example.com';

it('shows the server’s text, and opens its page', () => {
  const text = JSON.stringify({
    title: '约到了',
    body: '多伦多 2027-02-09',
    url: `${ORIGIN}/schedule/t1?from=push`,
    event: 'ask_first',
    tag: 'abc',
  });
  expect(shownOf(text, ORIGIN)).toEqual({
    title: '约到了',
    body: '多伦多 2027-02-09',
    tag: 'abc',
    requireInteraction: true,
    actions: [],
    page: '/schedule/t1?from=push',
  });
});

it('has buttons for a question with a link that permits an answer', () => {
  const answers = { yes: 'Yes …', no: 'No' };
  const actionsOf = (url: string) => shownOf(JSON.stringify({ url, answers }), ORIGIN).actions.map(({ action }) => action);
  expect(actionsOf(`${ORIGIN}/auth/answer?token=abc`)).toEqual(['yes', 'no']);
  expect(actionsOf(`${ORIGIN}/schedule/t1`)).toEqual([]);
});

it.each([undefined, '', 'no JSON', 'null', '{}'])('shows a notification for every message: %s', (text) => {
  expect(shownOf(text, ORIGIN)).toMatchObject({ title: 'Sooner 早签', page: '/dashboard', requireInteraction: false });
});

it.each([
  ['https://elsewhere.example.com/x', '/dashboard'],
  ['javascript:alert(1)', '/dashboard'],
  ['/settings#notifications', '/settings#notifications'],
  [null, '/dashboard'],
])('opens only pages of this site: %s', (url, page) => {
  expect(pageOf(url, ORIGIN)).toBe(page);
});
