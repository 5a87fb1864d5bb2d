import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { opened } from '../../../mock/countries.ts';
import { queries, queryClient } from '../api/queries.ts';
import { useToday } from './useToday.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-25T03:30:00Z') });
  queryClient.setQueryData(queries.facilities().queryKey, opened('en-ie', 'en-pe'));
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.useRealTimers();
});

it.each([
  ['en-ca', undefined, '2026-11-24'],
  ['en-ca', 'Toronto', '2026-11-24'],
  ['en-ie', undefined, '2026-11-25'],
  ['en-ie', 'Dublin', '2026-11-25'],
  ['en-ie', 'Unknown', '2026-11-25'],
  ['en-pe', 'Lima', '2026-11-24'],
  ['en-xx', null, '2026-11-24'],
])('returns the date at the consulate of %s, %s', (country, city, today) => {
  const { result } = renderHook(() => useToday(country, city), {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  });
  expect(result.current).toBe(today);
});

it('returns the date of the reporting zone if the browser does not know the zone', () => {
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
