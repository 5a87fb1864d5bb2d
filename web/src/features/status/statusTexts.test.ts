import { expect, it } from 'vitest';
import type { StatusHistory, SystemStatus } from '../../shared/api/types.ts';
import cases from './statusTexts.json';
import { silenced, textsNow } from './textsNow.ts';
import { textsPast } from './textsPast.ts';

it.each(cases)('shows for $name the same texts as the server’s document', ({ status, history, now, past }) => {
  expect(textsNow(status as SystemStatus)).toEqual(now);
  expect(textsPast(history as StatusHistory)).toEqual(past);
});

it('shows the age of the last report if the server does not answer, and no statement about its state', () => {
  const [usual] = cases;
  const first = textsNow(usual?.status as SystemStatus);
  expect(silenced(first, 0, true).texts).toMatchObject({ unreachable: '1', answered_am: '10:42', portal_ok: '1' });
  const offline = silenced(first, Date.parse('2026-11-22T18:05:00Z'), false).texts;
  expect(offline).toMatchObject({ offline: '1', answered_pm: '1:05', tone: 'error' });
  expect(offline).not.toHaveProperty('fine');
  expect(silenced({ texts: {}, hours: [] }, 0, true).texts).not.toHaveProperty('answered');
});
