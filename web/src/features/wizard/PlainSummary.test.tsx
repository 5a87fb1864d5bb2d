import { cleanup } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { appointment, day } from '../../../mock/story.ts';
import { backend, show } from '../../parts/balance/testing.tsx';
import { defaultForm } from '../../parts/criteria/searchForm.ts';
import { civilToday } from '../../shared/format/dates.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { PlainSummary } from './PlainSummary.tsx';
import type { Choice } from './wizardChoice.ts';

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  backend();
});

afterEach(cleanup);

const group = (id: string, name: string, date: string | null) => {
  const held = appointment({ schedule_id: id, applicant_names: [name], appointment_date: date });
  const row = { ...held, selectable: true, reason: null };
  return { group: { id, status: 'draft', portal_schedule_id: id, appointments: [row] }, appointment: row } as unknown as Choice;
};
const wang = group('1', 'Wang Jiaqi', day(300));
const sun = group('2', 'Sun Haoran', day(250));

function plain(cities: string[], chosen: Choice[]): string {
  show(<PlainSummary form={{ ...defaultForm(civilToday(Date.now())), cities }} chosen={chosen} />);
  return (document.body.textContent ?? '').replaceAll('\u2060', '');
}

it('names a single city without an order, and of several cities the first', () => {
  expect(plain(['Montreal'], [wang])).toMatch(/, in Montreal\. /);
  cleanup();
  expect(plain(['Toronto', 'Ottawa', 'Vancouver'], [wang])).toContain(
    ', in Toronto, Ottawa or Vancouver (on the same date, Toronto first).',
  );
});

it('names a single city without an order in Chinese', async () => {
  await i18next.changeLanguage('zh');
  const text = plain(['Montreal'], [wang]);
  expect(text).toContain('最早的日期，在');
  expect(text).not.toContain('依次');
});

it('states for several groups, in their order, that each gets its own date', () => {
  const text = plain(['Toronto'], [wang, sun]);
  expect(text).toMatch(/for each group:.*Wang Jiaqi, now .*Sun Haoran, now .*The groups may end up on different days\./);
  cleanup();
  expect(plain(['Toronto'], [wang])).not.toContain('The groups may');
});
