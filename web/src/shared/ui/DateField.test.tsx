import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { CivilDate } from '../format/dates.ts';
import { DateField } from './DateField.tsx';
import { UiTextsProvider } from './UiTexts.tsx';
import en from './words/en.json';
import zh from './words/zh.json';

vi.setConfig({ testTimeout: 30_000 });

function device(fine: boolean) {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('pointer: fine') && fine,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
}

// The calendar's code loads when it opens, which may take a second on a busy machine.
beforeAll(() => import('./CalendarPopover.tsx'));

beforeEach(() => {
  device(true);
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

interface HeldProps {
  first: CivilDate | null;
  bounds: { min?: string; max?: string };
  onChange: (date: CivilDate | null) => void;
}

function Held({ first, bounds, onChange }: HeldProps) {
  const [value, setValue] = useState(first);
  return (
    <DateField
      label="Start"
      {...bounds}
      value={value}
      onChange={(date) => {
        onChange(date);
        setValue(date);
      }}
    />
  );
}

function show(first: CivilDate | null, bounds: { min?: string; max?: string } = {}, language: 'en' | 'zh' = 'en') {
  const onChange = vi.fn();
  render(
    <UiTextsProvider language={language} texts={language === 'zh' ? zh : en}>
      <Held first={first} bounds={bounds} onChange={onChange} />
    </UiTextsProvider>,
  );
  return onChange;
}

const field = () => screen.getByRole('textbox', { name: 'Start' }) as HTMLInputElement;
const typed = (text: string) => fireEvent.change(field(), { target: { value: text } });

async function openCalendar() {
  fireEvent.click(screen.getByRole('button', { name: /: Start$/ }));
  return within(await screen.findByRole('dialog'));
}

it('accepts a typed date, and passes null while it is invalid', () => {
  const onChange = show('2026-11-21');
  typed('2026-11-2');
  typed('2026-11-29');
  fireEvent.blur(field());
  expect(onChange.mock.calls).toEqual([[null], ['2026-11-29']]);
  typed('2026/12/1');
  fireEvent.blur(field());
  expect([onChange.mock.lastCall, field().value]).toEqual([['2026-12-01'], '2026-12-01']);
  typed('2026-02-30');
  expect(onChange).toHaveBeenLastCalledWith(null);
  expect(field().value).toBe('2026-02-30');
  expect(screen.getByText('2026-02-30 is not in the calendar')).toBeTruthy();
  expect(field().getAttribute('aria-invalid')).toBe('true');
});

it('shows which dates it accepts', () => {
  show('2026-11-21', { min: '2026-11-20' });
  typed('2026-11-19');
  expect(screen.getByText('Choose 2026-11-20 or later')).toBeTruthy();
});

it.each([
  ['en', '2026-11-19', 'November 2026'],
  ['zh', '2026-11-19', '2026年11月'],
] as const)('picks a date from a calendar in %s, but none before the minimum', async (language, tooEarly, heading) => {
  const onChange = show('2026-11-21', { min: '2026-11-20' }, language);
  const calendar = await openCalendar();
  expect((await calendar.findByRole('grid')).getAttribute('aria-label')).toBe(heading);
  await waitFor(() => expect(document.activeElement?.closest('[data-day]')?.getAttribute('data-day')).toBe('2026-11-21'));
  const day = (date: string) => document.querySelector(`[data-day="${date}"] button`) as HTMLButtonElement;
  expect([day(tooEarly).disabled, day('2026-11-24').disabled]).toEqual([true, false]);
  fireEvent.click(day('2026-11-24'));
  expect(onChange).toHaveBeenCalledWith('2026-11-24');
  expect(field().value).toBe('2026-11-24');
});

// spec: 9.42
it.each([
  ['a desktop', true, 4],
  ['a phone', false, 3],
])('offers the years 1900 to 2099, on %s in rows of its own length, then three months a row', async (_, fine, columns) => {
  device(fine);
  const onChange = show('2026-11-21');
  const calendar = await openCalendar();
  fireEvent.click(await calendar.findByRole('button', { name: /Choose a year$/ }));
  const rows = () =>
    calendar.getAllByRole('row').map((row) =>
      within(row)
        .getAllByRole('button')
        .map((one) => one.textContent),
    );
  expect([rows()[0]?.length, rows()[0]?.[0], rows().flat().at(-1)]).toEqual([columns, '1900', '2099']);
  expect(document.activeElement?.textContent).toBe('2026');
  fireEvent.keyDown(document.activeElement as Element, { key: 'ArrowRight' });
  expect(document.activeElement?.textContent).toBe('2027');
  fireEvent.click(document.activeElement as Element);
  expect(rows().map((row) => row.length)).toEqual([3, 3, 3, 3]);
  fireEvent.click(calendar.getByRole('button', { name: 'February 2027' }));
  fireEvent.click(document.querySelector('[data-day="2027-02-03"] button') as Element);
  expect(onChange.mock.calls).toEqual([['2027-02-03']]);
});
