import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { opened } from '../../../mock/countries.ts';
import { queries, queryClient } from '../api/queries.ts';
import { useToday } from './useToday.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  queryClient.setQueryData(queries.facilities().queryKey, opened('en-ie', 'en-pe'));
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.useRealTimers();
});

// At each moment the date in Toronto, the reporting zone, or in the country's first city differs.
it.each([
  ['a country with a city in the reporting zone', 'en-ca', undefined, '2026-11-25T05:30Z', '2026-11-25'],
  ['a city', 'en-ca', 'Halifax', '2026-11-25T04:30Z', '2026-11-25'],
  ['another city', 'en-ca', 'Vancouver', '2026-11-25T05:30Z', '2026-11-24'],
  ['another country', 'en-ie', undefined, '2026-11-25T03:30Z', '2026-11-25'],
  ['a city of another country', 'en-pe', 'Lima', '2026-07-25T04:30Z', '2026-07-24'],
  ['an unknown city', 'en-ie', 'Unknown', '2026-11-25T03:30Z', '2026-11-25'],
  ['an unknown country', 'en-xx', null, '2026-11-25T03:30Z', '2026-11-24'],
])('returns the date at the consulate of %s', (_, country, city, now, today) => {
  vi.setSystemTime(Date.parse(now));
  const { result } = renderHook(() => useToday(country, city), {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  });
  expect(result.current).toBe(today);
});

it('returns the date of the reporting zone if the browser does not know the zone', () => {
  vi.setSystemTime(Date.parse('2026-11-25T03:30Z'));
  const { countries } = opened('en-ie');
  const renamed = countries.map((one) => ({
    ...one,
    facilities: one.facilities.map((city) => ({ ...city, zone: 'Europe/Nowhere' })),
  }));
  queryClient.setQueryData(queries.facilities().queryKey, { countries: renamed });
  const { result } = renderHook(() => useToday('en-ie', 'Dublin'), {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  });
  expect(result.current).toBe('2026-11-24');
});
