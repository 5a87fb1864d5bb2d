import { QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import { beforeAll, expect, it } from 'vitest';
import { queryClient } from '../../shared/api/queries.ts';
import type { JournalEntry } from '../../shared/api/types.ts';
import { breakable } from '../../shared/i18n/format.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { useJournalTexts } from './useJournalTexts.ts';

const slot = (fingerprints: string | null) => ({
  date: '2027-02-09',
  time: '09:15',
  facility: 'Bogota',
  facility_zh: '波哥大',
  fingerprints: fingerprints ? { date: fingerprints, time: '07:30', city: 'Bogota', city_zh: '波哥大' } : undefined,
});

const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
);

/** Returns the text of an entry in the page's language. */
async function textOf(language: string, kind: string, data: unknown) {
  await i18next.changeLanguage(language);
  const { result } = renderHook(() => useJournalTexts(), { wrapper });
  const entry = { id: '1', at: '2026-11-24T20:00:00Z', until: null, count: 1, kind, data } as JournalEntry;
  return breakable(result.current(entry).text ?? '');
}

beforeAll(async () => {
  await i18nReady;
});

it('shows the wanted and the shown appointment, each with its fingerprint appointment', async () => {
  const differ = { wanted: slot('2027-02-05'), shown: slot('2027-08-10') };
  expect(await textOf('en', 'fingerprints_differ', differ)).toBe(
    'Chosen: 2027-02-09 (Tue) 9:15 AM · Bogota; fingerprints 2027-02-05 (Fri) 7:30 AM · Bogota. ' +
      'On the official site: 2027-02-09 (Tue) 9:15 AM · Bogota; fingerprints 2027-08-10 (Tue) 7:30 AM · Bogota.',
  );
  expect(await textOf('zh', 'fingerprints_differ', { ...differ, shown: slot(null) })).toMatch(
    /^所选：2027-02-09（周二）上午 9:15 · .*；指纹采集 2027-02-05（周五）上午 7:30 · 波哥大。官网显示：.*；没有指纹采集预约。$/,
  );
});

it('names the fingerprint appointment after a booked interview, and none without one', async () => {
  const booked = { from: null, to: slot('2027-02-05'), days: null, charged: 0 };
  expect(await textOf('en', 'booked', booked)).toBe('2027-02-09 9:15 AM, Bogota; fingerprints 2027-02-05 (Fri) 7:30 AM · Bogota');
  expect(await textOf('en', 'booked', { ...booked, to: slot(null) })).toBe('2027-02-09 9:15 AM, Bogota');
  expect(await textOf('en', 'changed_outside', { from: slot('2027-02-05'), to: slot('2027-02-04') })).toBe(
    'Interview still 2027-02-09, Bogota; its fingerprint appointment was changed, not by us; ' +
      'fingerprints 2027-02-04 (Thu) 7:30 AM · Bogota',
  );
});
