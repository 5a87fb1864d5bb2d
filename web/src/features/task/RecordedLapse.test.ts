import { expect, it } from 'vitest';
import type { JournalEntry } from '../../shared/api/types.ts';
import { lapseIn } from './RecordedLapse.ts';

const NOW = Date.parse('2026-11-29T15:10:00Z');
let id = 0;
const entry = (kind: string, at: string, data: object = { date: '2027-02-09', facility: 'Toronto' }) => {
  id += 1;
  return { id: String(id), at, until: null, count: 1, kind, data } as unknown as JournalEntry;
};
const asked = entry('asked', '2026-11-29T15:00:00Z');

// spec: 10.1.21
it('finds the last question without an approval, once its time has surely ended', () => {
  expect(lapseIn([entry('looks', '2026-11-29T15:05:00Z', {}), asked], NOW)).toEqual({
    date: '2027-02-09',
    facility: 'Toronto',
    until: null,
    askedAt: '2026-11-29T15:00:00Z',
  });
  expect(lapseIn([asked], Date.parse('2026-11-29T15:02:59Z'))).toBeNull();
  expect(lapseIn([entry('said_yes', '2026-11-29T15:01:00Z'), asked], NOW)).toBeNull();
  const other = entry('said_yes', '2026-11-29T15:01:00Z', { date: '2027-01-01', facility: 'Toronto' });
  expect(lapseIn([other, asked], NOW)).not.toBeNull();
  expect(lapseIn([entry('looks', '2026-11-29T15:05:00Z', {})], NOW)).toBeNull();
});
