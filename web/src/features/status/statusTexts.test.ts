import { expect, it } from 'vitest';
import type { StatusHistory, SystemStatus } from '../../shared/api/types.ts';
import cases from './statusTexts.json';
import { silenced, textsNow } from './textsNow.ts';
import { textsPast } from './textsPast.ts';

it.each(cases)('says of $name what the server says in the document', ({ status, history, now, past }) => {
  expect(textsNow(status as SystemStatus)).toEqual(now);
  expect(textsPast(history as StatusHistory)).toEqual(past);
});

it('says how old it is what a silent server last said, and nothing of what was then the case', () => {
  const [usual] = cases;
  const first = textsNow(usual?.status as SystemStatus);
  expect(silenced(first, 0, true).texts).toMatchObject({ unreachable: '1', answered_am: '10:42', portal_ok: '1' });
  const offline = silenced(first, Date.parse('2026-11-22T18:05:00Z'), false).texts;
  expect(offline).toMatchObject({ offline: '1', answered_pm: '1:05', tone: 'error' });
  expect(offline).not.toHaveProperty('fine');
  expect(silenced({ texts: {}, hours: [] }, 0, true).texts).not.toHaveProperty('answered');
});
