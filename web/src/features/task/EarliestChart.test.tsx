import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { queries, queryClient } from '../../shared/api/queries.ts';
import type { SeenCalendar } from '../../shared/api/types.ts';
import { breakable } from '../../shared/i18n/format.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { chartData } from './chartData.ts';
import { EarliestChart } from './EarliestChart.tsx';

const now = Date.parse('2026-11-24T21:43:00-05:00');
const calendar: SeenCalendar = {
  cities: [],
  series: [
    {
      facility: 'Ottawa',
      points: [
        { at: '2026-11-10T17:00:00Z', earliest: '2027-06-01' },
        { at: '2026-11-20T17:00:00Z', earliest: '2027-04-22' },
      ],
    },
    { facility: 'Toronto', points: [{ at: '2026-11-20T17:00:00Z', earliest: '2027-07-01' }] },
  ],
  marks: [{ at: '2026-11-15T17:00:00Z', facility: 'Ottawa', date: '2027-02-05', outcome: 'lost' }],
  window: { start: '2026-12-15', end: '2027-03-31' },
  booked: { date: '2027-08-17', facility: 'Toronto' },
  widen: null,
};

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  queryClient.setQueryData(queries.facilities().queryKey, { countries: [] });
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(private readonly tell: (entries: { contentRect: DOMRect }[]) => void) {}
      observe(box: Element) {
        this.tell([{ contentRect: box.getBoundingClientRect() }]);
      }
      disconnect() {}
    },
  );
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue({ left: 0, width: 600 } as DOMRect);
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const plain = (text: string | null | undefined) => text && breakable(text);
const draw = (seen = calendar) => {
  const { container } = render(
    <QueryClientProvider client={queryClient}>
      <EarliestChart data={chartData(seen, now, 30)} calendar={seen} />
    </QueryClientProvider>,
  );
  const chart = screen.getByRole('slider', { name: i18next.t('chart.moment') });
  return { chart, says: () => plain(chart.getAttribute('aria-valuetext')), table: () => container.querySelector('table') };
};

it('draws a line for each city, marks for dates that disappeared soon, the appointment and the window', () => {
  const { chart } = draw();
  const content = plain(chart.textContent);
  for (const text of ['Booked 2027-08-17 Toronto', 'Your dates 2026-12-15 to 2027-03-31', '2027-02-05 Taken by others'])
    expect(content).toContain(text);
  expect(chart.querySelectorAll('path[stroke="var(--series-1)"], path[stroke="var(--series-2)"]').length).toBeGreaterThanOrEqual(
    2,
  );
});

it('shows each city’s name and date at the end of its line', () => {
  const listeners = { addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal('matchMedia', (media: string) => ({ media, matches: true, ...listeners }));
  const content = plain(draw().chart.textContent);
  for (const text of ['Ottawa 2027-04-22', 'Toronto 2027-07-01']) expect(content).toContain(text);
});

it('shortens the label of the window if a phone has no space for it', () => {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue({ left: 0, width: 300 } as DOMRect);
  const content = plain(draw().chart.textContent);
  expect(content).toContain('2026-12-15 to 2027-03-31');
  expect(content).not.toContain('Your dates');
});

it('keeps time labels of a young task apart on a phone', () => {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue({ left: 0, width: 328 } as DOMRect);
  const at = new Date(now - 30 * 3_600_000).toISOString();
  const { chart } = draw({ ...calendar, series: [{ facility: 'Ottawa', points: [{ at, earliest: '2027-04-22' }] }], marks: [] });
  const times = [...chart.querySelectorAll('text')].filter((text) => /\d:\d\d\s[AP]M$/.test(text.textContent ?? ''));
  const middles = times.map((text) => Number(text.getAttribute('x')));
  expect(times.some((text) => /^\d\d-\d\d /.test(text.textContent ?? ''))).toBe(true);
  for (const [index, middle] of middles.slice(1).entries()) expect(middle - (middles[index] ?? 0)).toBeGreaterThan(100);
});

it('shows each city’s date at the moment that arrow keys select, until the user presses Escape', () => {
  const { chart, says, table } = draw();
  expect(says()).toBe('2026-11-24 9:43 PM ET, Ottawa 2027-04-22, Toronto 2027-07-01');
  expect(table()).toBeNull();
  fireEvent.keyDown(chart, { key: 'Home' });
  expect(says()).toBe('2026-11-10 12:00 PM ET, Ottawa 2027-06-01, Toronto None');
  expect(plain(table()?.parentElement?.textContent)).toBe('2026-11-10 12:00 PM ETOttawa2027-06-01TorontoNone');
  fireEvent.keyDown(chart, { key: 'ArrowRight' });
  expect(says()).toBe('2026-11-20 12:00 PM ET, Ottawa 2027-04-22, Toronto 2027-07-01');
  fireEvent.keyDown(chart, { key: 'Escape' });
  expect(table()).toBeNull();
});

it('shows the dates at the pointer, and hides them when the pointer leaves', () => {
  const { chart, says, table } = draw();
  fireEvent.pointerMove(chart, { clientX: 50 });
  expect(says()).toContain('2026-11-10');
  expect(table()).toBeTruthy();
  fireEvent.pointerLeave(chart);
  expect(table()).toBeNull();
});
