import { expect, it } from 'vitest';
import { queries, queryClient } from './queries.ts';

// spec: 7.4.09, 9.39
it('keeps responses fresh for 5 minutes, caches them for 10, and retries once', () => {
  const { staleTime, gcTime, retry } = queryClient.getDefaultOptions().queries ?? {};
  expect([staleTime, gcTime, retry]).toEqual([5 * 60_000, 10 * 60_000, 1]);
  expect(queries.tasks().refetchInterval).toBe(30_000);
});
